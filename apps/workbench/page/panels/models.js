// A field to choose or name a model, shared by the run panel and the surprisals.
import { debounced, el, labelled } from "../dom.js";
/** @import {Engine} from "../engine.js" */
/** @import {Session} from "../suite/state.js" */

/** Words that are listed. */
const SHOWN = 8;
/** @type {ReturnType<Engine["models"]> | null} */
let known = null;
let count = 0;

/**
 * The field, with what is said of the model: words of the suite that it does not know, where its words
 * are known.
 * @param {Engine} engine
 * @param {Session} session
 */
export function modelField(engine, session) {
  const list = el("datalist", { id: `models-${++count}` });
  const note = el("small", { class: "faint", id: `${list.id}-note` });
  const explain = async () => {
    const { what = "", words } = (await known)?.find(({ id }) => id === input.value) ?? {};
    const texts = session.data.items.flatMap(({ conditions }) => conditions.flatMap(({ regions }) => regions.map(({ content }) => content)));
    const used = new Set(texts.join(" ").match(/[\p{L}\p{M}]+/gu));
    const strange = words ? [...used].filter((word) => !words.includes(word)) : [];
    const more = strange.length > SHOWN ? ` and ${strange.length - SHOWN} more` : "";
    note.textContent = `${what}${strange.length ? `. It does not know these words: ${strange.slice(0, SHOWN).join(", ")}${more}` : ""}`;
  };
  const later = debounced(() => void explain().catch(() => {}), () => 300);
  session.onChange(later);
  const input = el("input", {
    type: "text",
    list: list.id,
    autocomplete: "off",
    spellcheck: "false",
    placeholder: "gpt2, or a folder with weights",
    "aria-describedby": note.id,
    oninput: later,
  });
  known ??= engine.models();
  known.then(
    (models) => {
      list.append(...models.map(({ id, what }) => el("option", { value: id }, what)));
      const last = localStorage.getItem("evalmark:model");
      if (!input.value) input.value = last ?? models[0]?.id ?? "";
      later();
    },
    () => {
      known = null;
    },
  );
  const element = el("div", { class: "panel" }, labelled("model", input), list, note);
  return { input, element };
}

/** @param {string} model */
export const rememberModel = (model) => localStorage.setItem("evalmark:model", model);
