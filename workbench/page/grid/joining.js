// How regions become sentences: the rule that the sentences, the surprisals and the runs of the page have.
import { el, labelled } from "../dom.js";
import { JOIN_WORDS } from "../suite/sentences.js";
/** @import {Grid} from "./grid.js" */

/** @param {Grid} grid @param {() => void} changed */
export function joiningChoice(grid, changed) {
  const choice = el(
    "select",
    {
      onchange: () => {
        grid.join = choice.value;
        changed();
      },
    },
    ...Object.entries(JOIN_WORDS).map(([value, text]) =>
      el("option", { value, selected: value === grid.join }, text),
    ),
  );
  return el(
    "details",
    { class: "joining" },
    el("summary", {}, "Spaces between regions"),
    labelled("a model reads", choice),
    el(
      "p",
      { class: "small faint" },
      "Programs make a sentence of its regions in different ways, and scores of different ways cannot be compared. ",
      "The sentences, surprisals and runs of this page have this one; the setting join of the folder is where it begins. ",
      "Before the regions that no_space_before of a suite's meta lists, there is never a space.",
    ),
  );
}
