// Questions to the person, as modal dialogs that the keyboard works in.
import { append, button, el, labelled, withCode } from "./dom.js";
/** @import {Child} from "./dom.js" */

/**
 * An answer to choose: its value, its text, and whether it is the plain one.
 * @typedef {{value: string, text: string, class?: string}} Answer
 */

/**
 * Ask; Esc gives the value of the last answer, or another.
 * @param {string} title
 * @param {Child[]} content
 * @param {Answer[]} answers
 * @param {string} [escape] what Esc gives
 * @returns {Promise<string>}
 */
export function ask(title, content, answers, escape) {
  const last = answers[answers.length - 1].value;
  const heading = el("h2", { id: `dialog-${++count}` }, title);
  const dialog = el("dialog", { "aria-labelledby": heading.id });
  const form = el("form", { method: "dialog" }, heading);
  append(form, ...content);
  const row = el("div", { class: "answers" });
  const hasField = form.querySelector("input, select") !== null;
  for (const { value, text, class: kind } of answers) {
    const type = value === last && answers.length > 1 ? "button" : "submit";
    row.append(
      el(
        "button",
        { type, class: kind, autofocus: kind === "main" && !hasField, onclick: () => finish(value) },
        text,
      ),
    );
  }
  form.append(row);
  dialog.append(form);
  document.body.append(dialog);
  const before = /** @type {HTMLElement | null} */ (document.activeElement);
  /** @type {(value: string) => void} */
  let finish = () => {};
  return new Promise((resolve) => {
    let chosen = escape ?? last;
    finish = (value) => {
      chosen = value;
      if (value === last || form.reportValidity()) dialog.close();
    };
    form.addEventListener("submit", (event) => {
      event.preventDefault();
    });
    dialog.addEventListener("close", () => {
      dialog.remove();
      before?.focus({ preventScroll: true });
      resolve(chosen);
    });
    dialog.showModal();
  });
}
let count = 0;

/** Ask for a confirmation. @param {string} title @param {Child[]} content @param {string} ok @param {string} [kind] */
export const goesOn = async (title, content, ok, kind = "main") =>
  (await ask(title, content, [{ value: "ok", text: ok, class: kind }, { value: "", text: "Cancel" }])) === "ok";

/**
 * Ask for a line of text; null if the person does not want to.
 * @param {string} title
 * @param {string} label
 * @param {{value?: string, help?: string, ok?: string, extra?: Child[]}} [options]
 * @returns {Promise<string | null>}
 */
export async function askText(title, label, { value = "", help = "", ok = "OK", extra = [] } = {}) {
  const input = el("input", {
    type: "text",
    value,
    required: true,
    autofocus: true,
    autocomplete: "off",
    spellcheck: "false",
  });
  return (await goesOn(title, [labelled(label, input, help), ...extra], ok)) ? input.value : null;
}

/** Say something that has to be read. @param {string} title @param {string} text @param {...Child} more */
export const tell = (title, text, ...more) =>
  ask(title, [el("p", {}, ...withCode(text)), ...more], [{ value: "ok", text: "OK", class: "main" }]);

/** A unified diff. @param {string} text */
export function difference(text) {
  const kinds = /** @type {Record<string, string>} */ ({ "+": "added", "-": "removed", "@": "place" });
  const lines = text.split("\n").filter((line) => !/^(---|\+\+\+) /.test(line));
  const shown = lines.slice(0, 2000);
  const more = lines.length - shown.length;
  return el(
    "pre",
    { class: "difference", tabindex: "0", "aria-label": "Difference", role: "region" },
    ...shown.map((line) => el("span", { class: kinds[line[0]] ?? "" }, `${line}\n`)),
    more > 0 && `… ${more} more lines`,
  );
}

/**
 * A menu at a place: arrows, Home, End, Enter, Esc.
 * @param {{label: string, run: () => void, isOff?: string}[]} entries `isOff` says why it cannot be chosen
 * @param {DOMRect} at
 * @param {() => void} closed
 */
export function menu(entries, at, closed) {
  const items = entries.map(({ label, run, isOff }) =>
    el(
      "button",
      {
        role: "menuitem",
        type: "button",
        tabindex: "-1",
        "aria-disabled": isOff ? "true" : null,
        title: isOff ?? null,
        onclick: () => {
          if (isOff) return;
          close();
          run();
        },
      },
      label,
    ),
  );
  const element = el("div", { role: "menu", class: "menu", "aria-label": "Rows and columns" }, ...items);
  const outside = (/** @type {Event} */ event) => {
    if (!element.contains(/** @type {Node} */ (event.target))) close();
  };
  const close = () => {
    document.removeEventListener("mousedown", outside, true);
    if (!element.isConnected) return;
    element.remove();
    closed();
  };
  element.addEventListener("keydown", (event) => {
    const here = items.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    const to = /** @type {Record<string, number>} */ ({
      ArrowDown: here + 1,
      ArrowUp: here - 1,
      Home: 0,
      End: items.length - 1,
    });
    if (event.key in to) items[(to[event.key] + items.length) % items.length].focus();
    else if (event.key === "Escape" || event.key === "Tab") close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  document.addEventListener("mousedown", outside, true);
  (document.querySelector("main") ?? document.body).append(element);
  const [width, height] = [element.offsetWidth, element.offsetHeight];
  const left = Math.max(4, Math.min(at.left, innerWidth - width - 4));
  const below = at.bottom + height <= innerHeight || at.top < height;
  element.style.left = `${left + scrollX}px`;
  element.style.top = `${(below ? at.bottom : at.top - height) + scrollY}px`;
  items[0]?.focus();
}

/**
 * A button that opens a menu.
 * @param {string} text
 * @param {() => {label: string, run: () => void, isOff?: string}[]} entries
 */
export function menuButton(text, entries) {
  const opener = button(
    `${text} ▾`,
    () => {
      opener.setAttribute("aria-expanded", "true");
      menu(entries(), opener.getBoundingClientRect(), () => {
        opener.setAttribute("aria-expanded", "false");
        opener.focus();
      });
    },
    { "aria-haspopup": "menu", "aria-expanded": "false" },
  );
  return opener;
}
