// Findings: asked for at every change, shown in cells, formulas and a list.
import { button, counted, el, fill, isolated } from "../dom.js";
import { Loading } from "../browser/loading.js";
import { Explanations } from "./explanation.js";
import { conditionAt, conditionNames, isEmpty, pointerParts, regionName, rowAt, tableOf } from "../suite/table.js";
import { isUnwritten, unfinished } from "../suite/templates.js";
/** @import {Session} from "../suite/state.js" */
/** @import {Engine} from "../engine.js" */
/** @import {Finding, Label, Row} from "../suite/types.js" */

/** Findings by where they are shown. */
export class FindingIndex {
  /** @param {readonly Finding[]} findings */
  constructor(findings) {
    this.all = findings;
    /** @type {Map<string, Finding[]>} */
    this.at = new Map();
    for (const finding of findings) this.put(finding);
    // Further places come after the findings of a cell.
    for (const finding of findings) for (const label of elsewhere(finding)) this.put(related(finding, label));
  }

  /** @param {Finding} finding */
  put(finding) {
    const key = keyOf(finding.pointer);
    const list = this.at.get(key);
    if (list) list.push(finding);
    else this.at.set(key, [finding]);
  }

  /** @param {string} key @returns {readonly Finding[]} */
  get(key) {
    return this.at.get(key) ?? NONE;
  }
}
/** @type {readonly Finding[]} */
const NONE = [];

/** The labels of a finding that are not where it is itself. @param {Finding} finding */
const elsewhere = ({ pointer, labels }) =>
  labels.filter((label) => keyOf(label.pointer) !== keyOf(pointer) && keyOf(label.pointer) !== "suite");

/** A finding as another place of it shows it. @param {Finding} finding @param {Label} label @returns {Finding} */
const related = (finding, { pointer, start, end, text }) => ({
  ...finding,
  severity: "related",
  message: `${text} (${finding.message})`,
  pointer,
  start,
  end,
  labels: [],
  notes: [],
  suggestion: "",
  fix: null,
});

/** The place in the page that shows what a pointer points to. @param {string} pointer @returns {string} */
export function keyOf(pointer) {
  const [first, second, third, fourth, fifth, sixth] = pointerParts(pointer);
  if (first === "items" && second !== undefined) {
    if (third !== "conditions" || fourth === undefined) return `item ${second}`;
    return fifth === "regions" && sixth !== undefined
      ? `${second} ${fourth} ${sixth}`
      : `${second} ${fourth} name`;
  }
  if (first === "predictions" && second !== undefined) return `prediction ${second}`;
  if (first === "region_meta" && second !== undefined) return `region ${second}`;
  return first === "meta" && second !== undefined ? `meta ${second}` : "suite";
}

/** Milliseconds of quiet before a check; a suite that takes longer is checked less often. */
const [SOON, LATEST] = [15, 600];
/** Milliseconds after which findings of an earlier text are shown as such. */
const STALE = 500;
/** Findings of one rule that are listed at once. */
const LISTED = 4;
/** Items that rules on what items have in common need: `LEAST_ITEMS` of the validator. */
const LEAST = 8;

export class Findings {
  /**
   * @param {Session} session
   * @param {Engine} engine
   * @param {{show: (key: string, finding: Finding | Label) => void, fix: (id: string) => void, changed: () => void}} page
   */
  constructor(session, engine, page) {
    this.session = session;
    this.engine = engine;
    this.page = page;
    this.explanations = new Explanations(engine);
    this.index = new FindingIndex([]);
    this.checkedVersion = -1;
    this.isAsking = false;
    this.isBlank = false;
    /** New predictions without a formula. @type {Set<number>} */
    this.open = new Set();
    this.took = 0;
    /** Rules whose findings are all listed. @type {Set<string>} */
    this.whole = new Set();
    this.summary = el("p", { class: "summary", role: "status", tabindex: "-1" }, "checking …");
    this.fixAll = button("Fix what is safe", () => page.fix("safe"), { hidden: true });
    this.left = el("p", { class: "small faint", hidden: true });
    this.list = el("ul", { class: "findings" });
    // Optional rules check nothing here: what is not a mistake is offered where it may matter.
    this.latin = el(
      "p",
      { class: "small faint", hidden: true },
      "Some programs, such as SyntaxGym’s own, read only names of conditions with A to Z, a to z, 0 to 9, _ and -. ",
      button("Spell the conditions in Latin letters", () => page.fix("SG422"), { class: "small" }),
    );
    this.element = el(
      "section",
      { "aria-labelledby": "findings-title", class: "panel found" },
      el("h2", { id: "findings-title" }, "Findings"),
      el("div", { class: "row-of" }, this.summary, this.fixAll),
      this.left,
      this.list,
      this.latin,
    );
    // An engine that is loaded is waited for here, and everything else can be used.
    this.loading = new Loading();
    engine.onLoading = (...told) => {
      this.loading.show(...told);
      if (!this.loading.element.isConnected) this.summary.after(this.loading.element);
    };
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.staleTimer = undefined;
    session.onChange(() => this.later());
    void this.check();
  }

  later() {
    clearTimeout(this.timer);
    this.staleTimer ??= setTimeout(() => this.element.classList.add("stale"), STALE);
    this.timer = setTimeout(() => void this.check(), Math.min(LATEST, Math.max(SOON, this.took / 3)));
  }

  async check() {
    if (this.isAsking) return;
    this.isAsking = true;
    const { version, data } = this.session;
    const started = performance.now();
    try {
      const { findings } = await this.engine.check(this.session.path, data).finally(() => this.loading.element.remove());
      if (version === this.session.version) this.take(findings, version);
    } catch (error) {
      this.summary.textContent = `not checked: ${/** @type {Error} */ (error).message}`;
    }
    this.took = performance.now() - started;
    this.isAsking = false;
    if (version !== this.session.version) this.later();
  }

  /** @param {Finding[]} findings @param {number} version */
  take(findings, version) {
    const { data, given, path, saved } = this.session;
    this.isBlank = path === null && isUnwritten(data);
    // Items that are not written yet are empty and all alike: their findings are not shown.
    const left = unfinished(data, given);
    const isOpen = (/** @type {number} */ at) => !data.predictions[at].formula.trim() && saved?.predictions[at]?.formula !== data.predictions[at].formula;
    this.open = new Set([...data.predictions.keys()].filter(isOpen));
    this.index = new FindingIndex(
      findings.filter(({ pointer }) => {
        const [first, at] = pointerParts(pointer);
        return !(first === "items" && left.has(Number(at))) && !(first === "predictions" && this.open.has(Number(at)));
      }),
    );
    /** @param {boolean} isWhole @param {string} one @param {string} many */
    const said = (isWhole, one, many) => {
      const items = [...left].map((at) => data.items[at]).filter(({ conditions }) => conditions.every(isEmpty) === isWhole);
      const numbers = items.slice(0, 12).map(({ item_number }) => item_number).join(", ");
      return items.length > 1 ? `Items ${numbers}${items.length > 12 ? " …" : ""} ${many} not scored.` : items.length && `Item ${numbers} ${one} not scored.`;
    };
    const lines = [
      said(true, "is empty: it is", "are empty: they are"),
      said(false, "has an empty row: it is", "have an empty row: they are"),
      ...[...this.open].map((at) => `Prediction ${at + 1} is empty: write its formula.`),
      data.items.length - left.size < LEAST &&
        `Below ${LEAST} items, words are not compared with those of other items: a typo may not be found.`,
    ];
    fill(this.left, lines.filter(Boolean).join(" "));
    this.left.hidden = this.isBlank;
    this.checkedVersion = version;
    clearTimeout(this.staleTimer);
    this.staleTimer = undefined;
    this.element.classList.remove("stale");
    this.draw();
    this.page.changed();
    // For tests and measurements: the version of the suite that the page shows findings of.
    this.element.dataset.version = String(version);
  }

  draw() {
    const { all } = this.index;
    const errors = all.filter(({ severity }) => severity === "error").length;
    const warnings = all.length - errors;
    const parts = [errors && counted(errors, "error"), warnings && counted(warnings, "warning")].filter(
      Boolean,
    );
    const isPredicted = this.session.data.predictions.length > this.open.size;
    const clean = this.isBlank
      ? "no texts of your own yet: type into the table, or paste rows"
      : `no mistakes found${isPredicted ? "" : " in the sentences; there are no predictions yet"}`;
    this.summary.textContent = parts.join(", ") || clean;
    this.summary.className = `summary ${errors ? "bad" : warnings || this.isBlank || !isPredicted ? "" : "good"}`;
    this.latin.hidden = !conditionNames(this.session.data).some((name) => /[^\x00-\x7f]/.test(name));
    const safe = all.filter(({ fix }) => fix?.safe).length;
    this.fixAll.hidden = safe < 1;
    this.fixAll.textContent = `Fix ${counted(safe, "finding")} safely`;
    const sorted = [...all].sort((a, b) => Number(b.severity === "error") - Number(a.severity === "error"));
    const groups = Map.groupBy(sorted, ({ code }) => code);
    const shown = [];
    for (const [code, group] of groups) {
      const listed = this.whole.has(code) ? group : group.slice(0, LISTED);
      shown.push(...listed.map((finding) => this.entry(finding)));
      const more = group.length - listed.length;
      if (more > 0)
        shown.push(
          el(
            "li",
            { class: "more" },
            button(`${more} more of ${code} ${group[0].name}`, () => this.showAll(code), { class: "plain" }),
          ),
        );
    }
    const had = this.list.contains(document.activeElement);
    fill(this.list, ...shown);
    if (had) (this.list.querySelector("button") ?? this.summary).focus();
  }

  /** @param {string} code */
  showAll(code) {
    this.whole.add(code);
    this.draw();
  }

  /** A further place of a finding. @param {Label} label */
  link(label) {
    const key = keyOf(label.pointer);
    return el(
      "div",
      { class: "related" },
      button(placeName(this.session, key), () => this.page.show(key, label), { class: "link" }),
      `: ${label.text}`,
    );
  }

  /** @param {Finding} finding */
  entry(finding) {
    const key = keyOf(finding.pointer);
    return this.explanations.entry(finding, key, {
      place: `${placeName(this.session, key)} · `,
      notes: finding.notes,
      related: elsewhere(finding).map((label) => this.link(label)),
      changes: key.startsWith("prediction") ? "the prediction" : "what a model reads",
      show: () => this.page.show(key, finding),
      fix: this.page.fix,
    });
  }
}

/** Where a finding is, in words. @param {Session} session @param {string} key */
export function placeName(session, key) {
  const { data } = session;
  const [first, second, third] = key.split(" ");
  if (first === "suite") return "suite";
  if (first === "prediction") return `prediction ${Number(second) + 1}`;
  if (first === "region") return `name of region ${second}`;
  if (first === "meta") return second;
  if (first === "item") return `item ${data.items[Number(second)]?.item_number ?? second}`;
  const item = data.items[Number(first)];
  const condition = item?.conditions[Number(second)];
  if (!condition) return key;
  const where = `item ${item.item_number}, ${isolated(condition.condition_name)}`;
  const region = third === "name" ? undefined : condition.regions[Number(third)];
  return region
    ? `${where}, region ${region.region_number} ${isolated(regionName(data, region.region_number))}`.trim()
    : where;
}

/** The cell that a key is about; null if it is about none. @param {Session} session @param {string} key */
export function placeOf(session, key) {
  const { data } = session;
  const table = tableOf(data);
  const [first, second, third] = key.split(" ");
  if (first === "item") {
    const row = table.firstOf[Number(second)];
    return row === undefined ? null : { row, column: 0 };
  }
  if (first === "region") {
    const column = table.columns.indexOf(Number(second));
    return column < 0 ? null : { row: -1, column: column + 2 };
  }
  if (!/^[0-9]+$/.test(first)) return null;
  const condition = data.items[Number(first)]?.conditions[Number(second)];
  if (!condition) return null;
  const row = rowAt(table, Number(first), Number(second));
  if (third === "name") return { row, column: 1 };
  return { row, column: table.columns.indexOf(condition.regions[Number(third)]?.region_number) + 2 };
}

/**
 * Findings of a cell.
 * @param {Session} session
 * @param {FindingIndex} index
 * @param {Row} row
 * @param {number | "name" | "item"} region its position among the regions
 */
export function findingsAt(session, index, row, region) {
  if (!index.all.length) return NONE;
  if (region === "item") {
    return conditionAt(session.data, row) && row.condition === 0 ? index.get(`item ${row.item}`) : NONE;
  }
  return region === -1 ? NONE : index.get(`${row.item} ${row.condition} ${region}`);
}
