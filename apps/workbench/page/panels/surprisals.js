// The surprisals of the item at the cursor, as one types. Off until asked for: it runs a model.
import { debounced, directionOf, el, fill } from "../dom.js";
import { EngineError } from "../engine.js";
import { headed } from "../help.js";
import { rememberModel } from "./models.js";
/** @import {Engine, Token} from "../engine.js" */
/** @import {Session} from "../suite/state.js" */
/** @import {Grid} from "../grid/grid.js" */

/** Milliseconds of quiet before a model is asked. */
const QUIET = 250;
/** Bits at which a token has the deepest colour. */
const DEEP = 16;

export class SurprisalPanel {
  /** @param {Session} session @param {Engine} engine @param {Grid} grid @param {HTMLInputElement} model */
  constructor(session, engine, grid, model) {
    this.session = session;
    this.engine = engine;
    this.grid = grid;
    this.asked = "";
    /** @type {AbortController | null} */
    this.asking = null;
    this.model = model;
    model.addEventListener("change", () => this.restart());
    this.toggle = el("input", { type: "checkbox", onchange: () => this.restart() });
    this.output = el("div", { class: "tokens", "aria-live": "off" });
    this.element = el(
      "section",
      { class: "panel", "aria-labelledby": "surprisals-title" },
      headed("surprisals-title", "Surprisals of this item", "surprisal"),
      el("label", { class: "check" }, this.toggle, " show while I write"),
      this.output,
    );
    this.later = debounced(
      () => void this.draw(),
      () => QUIET,
    );
  }

  restart() {
    this.asked = "";
    if (this.model.value) rememberModel(this.model.value);
    void this.draw();
  }

  async draw() {
    if (!this.toggle.checked) return fill(this.output);
    const { data } = this.session;
    const item = data.items[this.grid.table.rows[Math.max(0, this.grid.active.row)]?.item];
    const model = this.model.value.trim();
    if (!item || !model) return fill(this.output, el("p", { class: "small" }, "choose a model and an item"));
    const conditions = item.conditions.map(({ condition_name, regions }) => ({ condition_name, regions }));
    const { no_space_before } = data.meta;
    const key = JSON.stringify([model, this.grid.join, conditions, no_space_before]);
    if (key === this.asked) return;
    this.asked = key;
    this.asking?.abort();
    this.asking = new AbortController();
    this.output.classList.add("stale");
    try {
      const answer = await this.engine.surprisals(
        model,
        { item_number: item.item_number, conditions, no_space_before },
        this.grid.join,
        this.asking.signal,
      );
      if (key !== this.asked) return;
      fill(
        this.output,
        el("p", { class: "small faint" }, `item ${item.item_number}; bits of each token`),
        ...answer.conditions.map(({ name, tokens }) => tokenLine(name, tokens)),
      );
    } catch (error) {
      if (key !== this.asked) return;
      this.asked = "";
      if (error instanceof EngineError) fill(this.output, el("p", { class: "small bad" }, error.message));
    }
    this.output.classList.remove("stale");
  }
}

/** @param {string} name @param {Token[]} tokens @param {"h3" | "h4"} [level] */
export function tokenLine(name, tokens, level = "h3") {
  const shown = tokens.map(({ text, region, bits }, at) => {
    const token = el(
      "span",
      { class: `token ${at && region !== tokens[at - 1].region ? "new-region" : ""}` },
      el("span", {}, text.replace(/ /g, "\u00a0")),
      el("small", {}, bits === null ? "–" : bits.toFixed(1)),
    );
    token.style.setProperty("--depth", String(Math.min(1, Math.max(0, bits ?? 0) / DEEP)));
    return token;
  });
  const dir = directionOf(tokens.map(({ text }) => text).join(""));
  return el("div", { class: "token-line" }, el(level, {}, name), el("div", { dir }, ...shown));
}
