// The predictions of the suite: a formula each, with what it says in words.
import { announce, button, el } from "../dom.js";
import { deletePrediction, insertPrediction, setPrediction } from "../suite/edits.js";
import { conditionNames, regionName, tableOf } from "../suite/table.js";
import { FormulaEditor } from "../formula/editor.js";
import { ComparisonMenus } from "../formula/menus.js";
import { headed } from "../help.js";
/** @import {Session} from "../suite/state.js" */
/** @import {Engine} from "../engine.js" */
/** @import {Finding} from "../suite/types.js" */
/** @import {Names} from "../formula/completion.js" */

/** @typedef {{editor: FormulaEditor, menus: ComparisonMenus, description: HTMLInputElement, element: HTMLElement}} Entry */

/** A formula about the suite itself, to begin from. @param {Names} names */
function example({ conditions, regions }) {
  const [first = "condition", second = "other"] = conditions;
  const { number, name } = regions[Math.min(1, regions.length - 1)] ?? { number: 1, name: "" };
  return {
    formula: `(${number};%${first}%) < (${number};%${second}%)`,
    words: `region ${number}${name ? ` (${name})` : ""} of ${first} is less surprising than that of ${second}`,
  };
}

export class Predictions {
  /** @param {Session} session @param {Engine} engine */
  constructor(session, engine) {
    this.session = session;
    this.engine = engine;
    /** @type {Entry[]} */
    this.entries = [];
    /** @type {(at: number) => readonly Finding[]} */
    this.findingsOf = () => [];
    this.list = el("ol", { class: "predictions" });
    this.none = el(
      "p",
      { class: "notice small" },
      "No predictions yet: a run shows surprisals, but no accuracy. Add one to say where the surprise is expected.",
    );
    this.element = el(
      "section",
      { "aria-labelledby": "predictions-title", class: "panel predicted" },
      headed("predictions-title", "Predictions", "prediction"),
      this.none,
      this.list,
      button("Add a prediction", () => this.add()),
    );
    session.onChange(() => this.draw());
    this.draw();
  }

  names() {
    const { data } = this.session;
    const regions = tableOf(data).columns.map((number) => ({ number, name: regionName(data, number) }));
    return { conditions: conditionNames(data), regions };
  }

  add() {
    const at = this.session.data.predictions.length;
    this.session.apply("prediction added", (data) => insertPrediction(data, at));
    this.focus(at);
  }

  /** @param {number} at @param {number | null} [offset] */
  focus(at, offset = null) {
    this.entries[at]?.editor.focus(offset);
  }

  draw() {
    const { predictions } = this.session.data;
    this.shorten(predictions.length);
    while (this.entries.length < predictions.length) {
      const entry = this.entry(this.entries.length);
      this.entries.push(entry);
      this.list.append(entry.element);
    }
    this.none.hidden = predictions.length > 0;
    const all = this.names();
    const names = JSON.stringify(all);
    predictions.forEach(({ formula, description }, at) => {
      const { editor, menus, description: field } = this.entries[at];
      menus.show(formula, all, names);
      editor.show(formula, this.findingsOf(at), names);
      editor.suggest(example(all));
      const text = typeof description === "string" ? description : "";
      // New findings do not replace text while it is typed.
      if (field !== document.activeElement && field.value !== text) field.value = text;
    });
  }

  /** Take out the entries from one on. @param {number} count */
  shorten(count) {
    for (const { editor, element } of this.entries.splice(count)) {
      editor.view.destroy();
      element.remove();
    }
  }

  /** @param {number} at @returns {Entry} */
  entry(at) {
    const { session, engine } = this;
    const editor = new FormulaEditor(`formula of prediction ${at + 1}`, {
      names: () => this.names(),
      changed: (formula) => {
        const before = session.data.predictions[at]?.formula ?? "";
        // Each word is a step of undo, and so is what is pasted.
        if (/[\s&|]$/.test(before) || Math.abs(formula.length - before.length) > 1) session.pause();
        session.apply(`edit of formula ${at + 1}`, (data) => setPrediction(data, at, { formula }), {
          key: `formula ${at}`,
          where: { prediction: at },
        });
      },
      left: () => session.pause(),
      explain: (formula) => {
        const { conditions, regions } = this.names();
        const names = Object.fromEntries(regions.map(({ number, name }) => [String(number), name]));
        return engine.formula(
          formula,
          conditions,
          Math.max(0, ...regions.map(({ number }) => number)),
          names,
        );
      },
    });
    const description = el("input", {
      type: "text",
      class: "description",
      placeholder: "description (optional)",
      "aria-label": `description of prediction ${at + 1}`,
      onchange: () => {
        const text = description.value.trim() || undefined;
        session.apply(
          `edit of description ${at + 1}`,
          (data) => setPrediction(data, at, { description: text }),
          { where: { prediction: at } },
        );
      },
    });
    const menus = new ComparisonMenus(`prediction ${at + 1}`, (formula) => {
      session.pause();
      session.apply(`choice in prediction ${at + 1}`, (data) => setPrediction(data, at, { formula }), {
        where: { prediction: at },
      });
    });
    const remove = button("×", () => this.remove(at), {
      class: "plain",
      "aria-label": `Delete prediction ${at + 1}`,
      title: "Delete this prediction",
    });
    return {
      editor,
      menus,
      description,
      element: el("li", {}, el("div", { class: "row-of" }, editor.element, remove), menus.element, description),
    };
  }

  /** @param {number} at */
  remove(at) {
    this.session.apply(`prediction ${at + 1} deleted`, (data) => deletePrediction(data, at), {
      where: { prediction: at },
    });
    announce(`prediction ${at + 1} deleted; Ctrl+Z brings it back`);
    if (this.entries.length) this.focus(Math.min(at, this.entries.length - 1));
    else this.element.querySelector("button")?.focus();
  }
}
