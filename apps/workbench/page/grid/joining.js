// How regions become sentences: the rule that the sentences, the surprisals and the runs of the page have.
import { button, el, fill, labelled, withCode } from "../dom.js";
import { keyOf, placeOf } from "../panels/findings.js";
import { joinRegions, JOIN_WORDS } from "../suite/sentences.js";
import { conditionAt } from "../suite/table.js";
/** @import {Grid} from "./grid.js" */
/** @import {Finding} from "../suite/types.js" */

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
      ...withCode("This page uses this choice; it starts from the setting `join`. "),
      "Before the regions that no_space_before of a suite's meta lists, there is never a space.",
    ),
  );
}

/**
 * A notice that proposes to join regions without spaces, for scripts without them, and shows a sentence.
 * @param {Grid} grid
 * @param {(id: string) => void} fix
 */
export function joiningProposal(grid, fix) {
  const element = el("p", { class: "notice small", role: "status", hidden: true });
  /** @param {readonly Finding[]} findings */
  const draw = (findings) => {
    const found = findings.find(({ name }) => name === "unspaced-script");
    const row = found ? (placeOf(grid.session, keyOf(found.pointer))?.row ?? -1) : -1;
    const id = found?.fix?.id;
    element.hidden = row < 0 || id === undefined;
    if (element.hidden) return fill(element);
    const { regions } = conditionAt(grid.session.data, grid.table.rows[row]);
    const joined = joinRegions(regions.map(({ content }) => content), "none").text;
    fill(
      element,
      "This script is written without spaces, but a model reads: ",
      el("bdi", {}, grid.sentenceAt(row).text),
      " Without spaces between regions: ",
      el("b", {}, el("bdi", {}, joined)),
      " ",
      button("Join without spaces", () => fix(/** @type {string} */ (id)), { class: "small" }),
    );
  };
  return { element, draw };
}
