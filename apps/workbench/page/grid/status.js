// The line below the table: where the active cell is, its sentence, and what is found in it.
import { button, el, fill, isolated, withCode } from "../dom.js";
import { marked } from "../marks.js";
import { fixButton } from "../panels/explanation.js";
import { conditionAt } from "../suite/table.js";
/** @import {Grid} from "./grid.js" */
/** @import {Session} from "../suite/state.js" */

export class StatusLine {
  /** @param {Grid} grid @param {Session} session @param {(id: string) => void} fix @param {() => void} list shows the findings */
  constructor(grid, session, fix, list) {
    this.grid = grid;
    this.session = session;
    this.fix = fix;
    this.where = el("span", { class: "faint where" });
    this.sentence = el("span", { class: "sentence", dir: "auto" });
    this.notes = el("div", { class: "notes" });
    // The number of findings; on a narrow screen their list is further down.
    this.count = button("", list, { class: "link" });
    this.element = el("div", { class: "status" }, el("p", {}, this.where, " ", this.sentence, " ", this.count), this.notes);
  }

  draw() {
    const { grid, session } = this;
    const { row, column } = grid.active;
    const place = grid.table.rows[row];
    const region = grid.regionAt(column);
    if (!place) {
      this.where.textContent = region ? `region ${region} ${isolated(grid.headText(column))}` : "no items yet";
      fill(this.sentence);
      return fill(this.notes);
    }
    const condition = conditionAt(session.data, place);
    const at = condition.regions.findIndex((one) => one.region_number === region);
    const { text, spans } = grid.sentenceAt(row);
    const name = region ? ` · ${region} ${isolated(grid.headText(column))}` : "";
    this.where.textContent = `item ${session.data.items[place.item].item_number} · ${isolated(condition.condition_name)}${name}`;
    const marks = at >= 0 && spans[at] ? [{ start: spans[at][0], end: spans[at][1], kind: "here" }] : [];
    fill(this.sentence, ...(text ? marked(text, marks) : ["(no text)"]));
    const what = column === 0 ? "item" : column === 1 ? "name" : at;
    const findings = region || column < 2 ? grid.findingsOf(place, what) : [];
    fill(
      this.notes,
      ...findings.map((one) =>
        el(
          "p",
          { class: one.severity },
          el("span", { class: "severity" }, one.severity),
          " ",
          ...withCode(one.message),
          one.suggestion && " — ",
          ...withCode(one.suggestion),
          " ",
          fixButton(one.fix, "what a model reads", this.fix),
        ),
      ),
    );
  }
}
