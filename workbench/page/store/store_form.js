// The form of a question to a store: which store, which question, and its arguments.
import { el, fill, labelled } from "../dom.js";
import { QUESTIONS, storeLink } from "./questions.js";
/** @import {Engine} from "../engine.js" */
/** @import {Field} from "./questions.js" */

/** Names that are proposed for a field. */
const PROPOSED = 1000;
/** Store and what -> its names. @type {Map<string, Promise<string[]>>} */
const names = new Map();
let count = 0;

/**
 * @param {Engine} engine
 * @param {string[]} stores
 * @param {{question?: string, values?: string[], again?: () => void}} [shown] what is shown now
 */
export function storeForm(engine, stores, { question = "top", values = [], again } = {}) {
  const store = el("select", {}, ...stores.map((path) => el("option", {}, path)));
  const chosen = el(
    "select",
    { onchange: () => draw([]) },
    ...Object.entries(QUESTIONS).map(([name, { does }]) =>
      el("option", { value: name, selected: name === question }, `${name}: ${does}`),
    ),
  );
  const place = el("div", { class: "row-of" });
  /** @type {ReturnType<typeof fieldOf>[]} */
  let fields = [];
  const draw = (/** @type {string[]} */ given) => {
    fields = QUESTIONS[chosen.value].fields.map((field, at) =>
      fieldOf(engine, () => store.value, field, given[at] ?? ""),
    );
    fill(place, ...fields.map(({ element }) => element));
  };
  draw(values);
  const ask = (/** @type {Event} */ event) => {
    event.preventDefault();
    const link = storeLink(
      store.value,
      chosen.value,
      fields.map(({ value }) => value()),
    );
    if (link === location.hash && again) again();
    else location.hash = link;
  };
  return el(
    "form",
    { class: "asking", onsubmit: ask },
    el(
      "div",
      { class: "row-of" },
      stores.length > 1 && labelled("Store", store),
      labelled("Question", chosen),
    ),
    place,
    el("button", { type: "submit", class: "main" }, "Ask"),
  );
}

/**
 * @param {Engine} engine
 * @param {() => string} store
 * @param {Field} field
 * @param {string} given
 * @returns {{element: HTMLElement, value: () => string}}
 */
function fieldOf(engine, store, { label, kind, required = false, of, choices = {} }, given) {
  if (kind === "flag") {
    const box = el("input", { type: "checkbox", checked: given !== "" });
    return {
      element: el("label", { class: "check" }, box, label),
      value: () => (box.checked ? "all" : ""),
    };
  }
  const common = { required, autocomplete: "off", spellcheck: "false" };
  if (kind === "query") {
    const value = given || "SELECT model_key, count(*) AS results FROM results GROUP BY ALL ORDER BY ALL";
    const area = el("textarea", { ...common, rows: 3, value, onkeydown: submitOnEnter });
    const element = labelled(label, area, "Ctrl+Enter asks. Columns: DESCRIBE results");
    element.classList.add("query");
    return { element, value: () => area.value };
  }
  if (kind === "choice") {
    const options = Object.entries(choices).map(([value, text]) =>
      el("option", { value, selected: value === given }, text),
    );
    const select = el("select", {}, ...options);
    return { element: labelled(label, select), value: () => select.value };
  }
  const list = el("datalist", { id: `names-${++count}` });
  const propose = async () => {
    const found = of ? await namesOf(engine, store(), of) : [];
    fill(list, ...found.map((name) => el("option", { value: name })));
  };
  const input = el("input", {
    ...common,
    type: "text",
    value: given,
    list: list.id,
    onfocus: () => void propose().catch(() => {}), // the answer says what is wrong
  });
  return { element: el("div", {}, labelled(label, input), list), value: () => input.value.trim() };
}

/** @param {KeyboardEvent} event */
function submitOnEnter(event) {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  /** @type {HTMLTextAreaElement} */ (event.target).form?.requestSubmit();
}

/**
 * The names of the models or benchmarks of a store, those with most results first; or other stores.
 * @param {Engine} engine @param {string} store @param {"model" | "benchmark" | "store"} what
 */
function namesOf(engine, store, what) {
  const key = `${what} ${store}`;
  const known = names.get(key);
  if (known) return known;
  const found =
    what === "store"
      ? engine.folder().then(({ stores }) => stores.filter((other) => other !== store))
      : engine
          .store(store, "missing", { by: what }, PROPOSED)
          .then(({ rows }) => rows.map(([name]) => String(name)));
  names.set(key, found);
  found.catch(() => names.delete(key));
  return found;
}
