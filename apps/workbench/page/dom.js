// Elements from data. Text is always text: nothing here reads markup but `fragment`.

/** @typedef {Node | string | null | undefined | false} Child */

/**
 * An element: `el("button", {class: "x", type: "button", onclick: f, "aria-label": "…"}, "text")`.
 * Functions are listeners, `true` and `false` set and leave out an attribute.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function")
      element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (name === "value")
      /** @type {HTMLInputElement} */ (/** @type {unknown} */ (element)).value = String(value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined)
      element.setAttribute(name, String(value));
  }
  // Texts of people have the direction of their script; a formula or source text is "ltr".
  if ((tag === "input" || tag === "textarea") && !element.dir) element.dir = "auto";
  append(element, ...children);
  return element;
}

/** @param {Element} parent @param {...Child} children */
export function append(parent, ...children) {
  for (const child of children) if (child || child === "") parent.append(child);
}

/** Replace what an element holds. @param {Element} parent @param {...Child} children */
export function fill(parent, ...children) {
  parent.replaceChildren();
  append(parent, ...children);
}

/**
 * A button.
 * @param {string} text
 * @param {() => void} onclick
 * @param {Record<string, unknown>} [attributes]
 */
export const button = (text, onclick, attributes = {}) =>
  el("button", { type: "button", onclick, ...attributes }, text);

/** True if a key is for an input method: it ends a composition, or chooses in a list. @param {KeyboardEvent} event */
export const isComposing = (event) => event.isComposing || event.keyCode === 229;

/** A field with its label. @param {string} label @param {HTMLElement} field @param {string} [help] */
export const labelled = (label, field, help = "") =>
  el(
    "label",
    { class: "field" },
    el("span", {}, label),
    field,
    help && el("small", { class: "faint" }, help),
  );

/**
 * A table in a frame that scrolls.
 * @param {string} label
 * @param {(Child | Child[])[]} heads cells, or what is in them
 * @param {HTMLElement} body
 * @param {string} [caption]
 */
export function framed(label, heads, body, caption = "") {
  const cells = heads.map((head) => head instanceof HTMLTableCellElement ? head : el("th", { scope: "col", dir: "auto" }, ...[head].flat()));
  const table = el("table", {}, caption && el("caption", {}, caption), el("thead", {}, el("tr", {}, ...cells)), body);
  return el("div", { class: "wide", tabindex: "0", role: "region", "aria-label": label }, table);
}

/** A text that is a link where this page is a part of the documentation. @param {string} text @param {string} [anchor] */
export function inDocs(text, anchor = "") {
  const docs = document.querySelector('link[rel="help"]')?.getAttribute("href");
  return docs ? el("a", { href: docs + anchor }, text) : text;
}

/** The ways back to the first page, and home. */
export function backLink() {
  const home = inDocs("evalmark");
  const links = [home instanceof Element && home, el("a", { href: "#/" }, "All files"), el("a", { href: "#/new-suite" }, "New suite")];
  return el("nav", { "aria-label": "Folder", class: "ways" }, ...links);
}

/** A text that begins a sentence. @param {string} text */
export const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** A chart that scoring/reports/charts.py drew. @param {string} markup @returns {DocumentFragment} */
export function fragment(markup) {
  const template = document.createElement("template");
  template.innerHTML = markup;
  return template.content;
}

/**
 * Tell screen readers, and show it for a while unless it is to be seen anyway.
 * @param {string} text
 * @param {{isSeen?: boolean}} [options]
 */
export function announce(text, { isSeen = false } = {}) {
  const live = document.getElementById("live");
  if (!live) return;
  live.textContent = text;
  live.classList.toggle("shown", !isSeen);
  clearTimeout(timer);
  timer = setTimeout(() => live.classList.remove("shown"), 5000);
}
/** @type {ReturnType<typeof setTimeout> | undefined} */
let timer;

/** `1 item`, `2 items`. @param {number} count @param {string} one @param {string} [many] */
export const counted = (count, one, many = `${one}s`) =>
  `${count.toLocaleString("en")} ${count === 1 ? one : many}`;

/**
 * Text with parts between backticks as code. Strings in double quotes, and conditions in formulas, are
 * isolated: in any script, they do not reorder the text around them.
 * @param {string} text @returns {Child[]}
 */
export const withCode = (text) =>
  text
    .split(/`([^`]+)`/)
    .flatMap((part, at) =>
      at % 2 ? el("code", {}, ...bounded(part, /(%[^%]*%)/)) : bounded(part, /("(?:[^"\\]|\\.)*")/),
    );

/** Text in which each second part of a split is isolated. @param {string} text @param {RegExp} pattern */
const bounded = (text, pattern) => text.split(pattern).map((part, at) => (at % 2 ? el("bdi", {}, part) : part));

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** The direction of tokens in a row: that of a script from right to left if any has one. @param {string} text */
export const directionOf = (text) => (RIGHT_TO_LEFT.test(text) ? "rtl" : "ltr");

/** A name for a line of text without elements, such as a label: isolated if it is from right to left. @param {string} text */
export const isolated = (text) => (RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text);

/** Call a function later than its last request. @param {() => void} work @param {() => number} delay */
export function debounced(work, delay) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let waiting;
  return () => {
    clearTimeout(waiting);
    waiting = setTimeout(work, delay());
  };
}
