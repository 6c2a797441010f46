// A sentence on each word that a first reader may not know, behind a small "?" where the word appears.
import { el } from "./dom.js";

/** Word -> what it is. */
const SENTENCES = {
  suite: "A suite is a file of test sentences and of predictions about them. It tests one phenomenon, such as agreement.",
  item: "An item is one sentence in all its conditions: the same words, except for what the conditions change.",
  condition: "A condition is one version of every item, such as match (“The author laughs”) and mismatch (“The author laugh”).",
  region: "A region is a part of the sentence, such as the verb: a column of the table. Surprisal is summed over its words.",
  prediction:
    "A prediction compares the surprisal of regions in two conditions. It holds or fails for each item: “the verb of match is less surprising than the verb of mismatch”.",
  surprisal:
    "Surprisal is how little a model expects a word after the words before it, in bits: 0 is certain, 1 is a coin toss, 10 is one in a thousand.",
  accuracy: "Accuracy is the share of the items for which a prediction holds.",
  chance:
    "Chance is the accuracy of a model that knows nothing: if all orders of the compared surprisals are equally likely, one comparison holds in half of the items.",
  interval:
    "A 95 % interval (Wilson’s score interval) says how far the accuracy could be off with so few items. Its centre is drawn towards one half, so it is not the accuracy itself.",
};
/** @typedef {keyof typeof SENTENCES} Word */

let count = 0;

/** A small "?" that explains a word. @param {Word} word */
export function what(word) {
  const note = el("span", { id: `what-${++count}`, class: "what-note", popover: "auto" }, SENTENCES[word]);
  const mark = el(
    "button",
    {
      type: "button",
      class: "what",
      popovertarget: note.id,
      "aria-label": `What is ${/^[aeiou]/.test(word) ? "an" : "a"} ${word}?`.replace(
        /an? (accuracy|chance|surprisal)/,
        "$1",
      ),
    },
    "?",
  );
  // Next to the word, and within the screen.
  note.addEventListener("toggle", () => {
    const { left, bottom } = mark.getBoundingClientRect();
    note.style.left = `${Math.max(8, Math.min(left - 8, innerWidth - note.offsetWidth - 8))}px`;
    note.style.top = `${Math.max(8, Math.min(bottom + 4, innerHeight - note.offsetHeight - 8))}px`;
  });
  return el("span", { class: "what-box" }, mark, note);
}

/** All of some words behind one mark: a page with many has one Tab stop for them. @param {...Word} words */
export const explanations = (...words) =>
  el(
    "details",
    { class: "small" },
    el("summary", {}, "What these words mean"),
    el("ul", {}, ...words.map((word) => el("li", {}, SENTENCES[word]))),
  );

/** A heading, followed by explanations of words. @param {string} id @param {string} text @param {...Word} words */
export const headed = (id, text, ...words) =>
  el("div", { class: "headed" }, el("h2", { id }, text), ...words.flatMap((word, at) => [at > 0 && el("small", { class: "faint" }, word), what(word)]));
