// The recorded result of an example: curves and accuracies before anything is run.
import { el, fill } from "../dom.js";
import { headed } from "../help.js";
import { suiteResult } from "./result.js";
import { tokenLine } from "./surprisals.js";
/** @import {Suite} from "../suite/types.js" */
/** @import {Session} from "../suite/state.js" */
/** @import {Grid} from "../grid/grid.js" */
/** @import {Example} from "../examples/example.js" */

export class RecordedResult {
  /** @param {Session} session @param {Grid} grid @param {Example} example @param {(item: number) => void} goTo */
  constructor(session, grid, example, goTo) {
    this.session = session;
    this.grid = grid;
    this.example = example;
    this.item = -1;
    this.tokens = el("div", { class: "tokens" });
    this.changed = el(
      "p",
      { class: "doubt small", role: "status", hidden: true },
      "This result is of the example as it was, before your changes. Run a model to get a new one.",
    );
    this.element = el(
      "section",
      { class: "panel", "aria-labelledby": "recorded-title" },
      headed("recorded-title", "A result of this example", "surprisal"),
      el(
        "p",
        { class: "small faint" },
        "Model: evalmark/demo, a GPT-2 of 0.68 million parameters. It has learned an artificial grammar of a hundred words and knows no English. These numbers are recorded; nothing was run.",
      ),
      this.changed,
      el("div", { class: "result" }, suiteResult(example.result, goTo, false)),
      this.tokens,
    );
    this.draw();
  }

  /** The surprisals of the item at the cursor. */
  draw() {
    const { session, grid, example } = this;
    const scored = (/** @type {Suite} */ { items, predictions }) => JSON.stringify([items, predictions]);
    this.changed.hidden = scored(session.data) === scored(example.suite);
    const number = session.data.items[grid.table.rows[Math.max(0, grid.active.row)]?.item]?.item_number;
    const at = example.suite.items.findIndex((item) => item.item_number === number);
    if (at === this.item) return;
    this.item = at;
    fill(
      this.tokens,
      at >= 0 && el("h3", {}, `Surprisals of item ${number}, in bits`),
      ...(example.tokens[at] ?? []).map(({ name, tokens }) => tokenLine(name, tokens, "h4")),
    );
  }
}
