// Running a model on the suite: progress, stop, resume, result.
import { announce, button, el, fill } from "../dom.js";
import { EngineError } from "../engine.js";
import { written } from "../suite/templates.js";
import { rememberModel } from "./models.js";
import { resultView } from "./result.js";
/** @import {Engine, RunState} from "../engine.js" */
/** @import {Session} from "../suite/state.js" */
/** @import {Suite} from "../suite/types.js" */
/** @import {Grid} from "../grid/grid.js" */

/** Milliseconds between two questions about a run. */
const [FAST, SLOW] = [250, 1000];
const GOES = new Set(["waiting", "loading", "running"]);

export class RunPanel {
  /**
   * @param {Session} session
   * @param {Engine} engine
   * @param {Grid} grid
   * @param {HTMLInputElement} model
   * @param {(item: number) => void} goTo
   */
  constructor(session, engine, grid, model, goTo) {
    this.session = session;
    this.engine = engine;
    this.grid = grid;
    this.goTo = goTo;
    /** @type {string | null} */
    this.id = null;
    this.isClosed = false;
    this.model = model;
    this.startButton = button("Run", () => void this.start(), { class: "main" });
    this.stopButton = button("Stop", () => void this.tell("stop"), { hidden: true });
    this.resumeButton = button("Resume", () => void this.tell("resume"), { hidden: true });
    this.progress = el("progress", { max: 1, hidden: true, "aria-label": "Progress of the run" });
    this.state = el("span", { class: "small", role: "status" });
    /** The suite that is scored; null if an earlier page began the run. @type {Suite | null} */
    this.scored = null;
    this.changed = el("p", { class: "doubt small", role: "status", hidden: true });
    this.result = el("div", {});
    this.element = el(
      "section",
      { class: "panel", "aria-labelledby": "run-title" },
      el("h2", { id: "run-title" }, "Run a model"),
      el(
        "div",
        { class: "row-of" },
        this.startButton,
        this.stopButton,
        this.resumeButton,
      ),
      el("div", { class: "row-of" }, this.progress, this.state),
      this.changed,
      this.result,
    );
    session.onChange(() => this.drawChanged());
    this.find().catch(() => this.say(""));
  }

  /** Show a run of this suite that is running or can be resumed. */
  async find() {
    const { path } = this.session;
    if (path === null) return;
    const found = (await this.engine.runs()).findLast((one) => one.path === path && one.state !== "done");
    if (!found || this.id) return;
    if (GOES.has(found.state)) return this.follow(() => Promise.resolve(found));
    this.id = found.id;
    this.draw(found);
  }

  async start() {
    const model = this.model.value.trim();
    if (!model) return this.model.focus();
    rememberModel(model);
    const { path, isChanged, committed, given } = this.session;
    const data = written(committed, given, true);
    this.scored = committed;
    fill(this.result);
    this.drawChanged();
    const isSaved = path && !isChanged && data === committed;
    const what = { path: path ?? `${committed.meta.name || "suite"}.json`, data: isSaved ? undefined : data };
    await this.follow(() => this.engine.start({ ...what, model, join: this.grid.join }));
  }

  /** @param {"stop" | "resume"} what */
  async tell(what) {
    const { id } = this;
    if (!id) return;
    if (what === "stop") await this.engine.tell(id, what).catch((error) => this.say(error.message));
    else await this.follow(() => this.engine.tell(id, what));
  }

  /** Begin, and ask how it goes until it ends. @param {() => Promise<{id: string}>} begin */
  async follow(begin) {
    try {
      const { id } = await begin();
      this.id = id;
      for (let wait = FAST; !this.isClosed && this.id === id; wait = SLOW) {
        const state = await this.engine.run(id);
        this.draw(state);
        if (!GOES.has(state.state)) return await this.ended(state);
        await new Promise((resolve) => setTimeout(resolve, wait));
      }
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      this.progress.hidden = true;
      this.startButton.hidden = false;
      this.stopButton.hidden = true;
      this.say(error.message, "bad");
    }
  }

  /** @param {string} text @param {string} [kind] */
  say(text, kind = "") {
    this.state.textContent = text;
    this.state.className = `small ${kind}`;
  }

  /** @param {RunState} state */
  draw({ state, model, done, total, message }) {
    const goes = GOES.has(state);
    this.progress.hidden = !goes;
    if (total) this.progress.value = done / total;
    else this.progress.removeAttribute("value");
    this.stopButton.hidden = !goes;
    this.startButton.hidden = goes;
    this.resumeButton.hidden = state !== "stopped" && state !== "failed";
    // The folder may be anybody's: who resumes a run sees which model is loaded.
    this.resumeButton.textContent = `Resume with ${model}`;
    const count = total && goes ? ` ${done} of ${total}` : "";
    this.say(`${state}${count}${message ? `: ${message}` : ""}`, state === "failed" ? "bad" : "");
  }

  /** Say so if the suite has changed since its result. */
  drawChanged() {
    const isShown = this.result.childElementCount > 0 && this.session.committed !== this.scored;
    this.changed.hidden = !isShown;
    if (isShown)
      this.changed.textContent = this.scored
        ? "The suite has changed since this run: run it again."
        : "This result is of the suite as it was when the run began.";
  }

  /** @param {RunState} state */
  async ended(state) {
    announce(`the run is ${state.state}`);
    if (state.state !== "done" || !state.result) return;
    const result = await this.engine.result(state.result);
    const path = encodeURIComponent(state.result);
    fill(
      this.result,
      resultView(result, this.goTo, this.session.committed.meta.name),
      el(
        "p",
        {},
        el("a", { href: `#/result/${path}` }, "The whole result"),
        "; runs are compared under All files",
      ),
    );
    this.drawChanged();
  }

  close() {
    this.isClosed = true;
  }
}
