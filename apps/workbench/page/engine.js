// The questions of the page to evalmark. This engine asks `evalmark serve`; another can run in the browser.
/** @import {BrowserEngine} from "./browser/engine.js" */
/** @import {Finding, Suite} from "./suite/types.js" */

/**
 * @typedef {{path: string, kind: string, format: string, name: string, tags: string[], items: number | null, conditions: number | null, regions: number | null, predictions: number | null, errors: number | null, warnings: number | null}} ListedFile
 * @typedef {{path: string, model: string, when: string, suites: number, accuracy: number | null, chance: number | null, of_pairs: boolean}} ListedRun
 * @typedef {{path: string, model: string, results: number, errors: number | null, warnings: number | null}} ListedRecord
 * @typedef {{root: string, id: string, join: string, files: ListedFile[], runs: ListedRun[], records: ListedRecord[], problems: Problem[], pending: number, given?: string[]}} Folder
 * @typedef {{path: string, message: string}} Problem what is not listed, and why
 * @typedef {{path: string, kind: string, digest: string, data: Suite, text: string, notes: string[], converted?: boolean, difference?: string, refused?: string, needs?: string, choices?: string[], format?: string, becomes?: string | null}} OpenedFile
 * @typedef {{code: string, name: string, severity: string, message: string, line: number | null, column: number | null, start: number | null, end: number | null, labels: {line: number, column: number, text: string}[], notes: string[], suggestion: string, fix: {safe: boolean, id: string} | null}} TextFinding
 * @typedef {{kind: string | null, findings: TextFinding[], remarks: string[]}} CheckedText
 * @typedef {{code: string, message: string, start: number, end: number, suggestion: string, correction: string}} FormulaProblem a mistake, and the whole formula that its suggestion leads to
 * @typedef {{words: string, error: FormulaProblem | null}} FormulaAnswer
 * @typedef {{id: string, path: string, model: string, state: "waiting" | "loading" | "running" | "done" | "stopped" | "failed" | "refused", done: number, total: number, message: string, result: string | null}} RunState
 * @typedef {{label: string, formula: string, accuracy: number, chance: number | null, low: number | null, high: number | null, fails: number[], failures: Failing[], verdict: string}} PredictionResult
 * @typedef {{item: number, bits: number | null, sentences: {condition: string, text: string}[]}} Failing an item in which a prediction fails, and by how much
 * @typedef {{name: string, items: number, predictions: PredictionResult[], chart?: string, notes?: string[]}} SuiteResult
 * @typedef {{model: string, suites: SuiteResult[]}} Result
 * @typedef {{text: string, region: number | null, bits: number | null}} Token
 * @typedef {{digest: string, written: boolean, notes?: string[]}} Saved
 * @typedef {{digest: string, data: Suite, difference: string}} Theirs
 * @typedef {{text?: string, content?: string, name: string}} TableSource a text, or a spreadsheet in Base64, and its file
 * @typedef {{header?: boolean, roles?: Record<string, string>}} TableReading what a person has chosen
 * @typedef {{names: string[], header: boolean, roles: string[], rows: string[][], count: number, choices: Record<string, string>, data?: Suite, notes?: string[], columns?: string[], sentences?: string[][], refused?: string, asked?: string}} TableAnswer
 * @typedef {{data?: Suite, notes?: string[], refused?: string, needs?: string, choices?: string[], table?: TableAnswer}} Pasted
 */

/** The engine answered with an error; its message is a sentence for people. */
export class EngineError extends Error {
  /** @param {string} message @param {number} status @param {any} answer */
  constructor(message, status, answer) {
    super(message);
    this.status = status;
    this.answer = answer;
  }
}

/** The questions of the page. Each engine answers `ask`: a server, or Python in the browser. */
export class Engine {
  constructor() {
    /** The engine itself if files are in the browser. @type {BrowserEngine | null} */
    this.inBrowser = null;
    /** The text of the button that saves. */
    this.saves = "Save";
    /** Called with what is being loaded, and how much of it is there. @type {(text: string, amount?: string, share?: number) => void} */
    this.onLoading = () => {};
  }

  /** @param {string} _route @param {unknown} [_body] @param {AbortSignal} [_signal] @returns {Promise<any>} */
  ask(_route, _body, _signal) {
    throw new EngineError("no engine", 0, null);
  }

  /** @returns {Promise<Folder>} */
  folder() {
    return this.ask("folder");
  }

  /**
   * What a new suite needs of the folder. An engine that takes long to answer tells the joining rule later.
   * @param {(join: string) => void} _later @returns {Promise<{id: string, join: string}>}
   */
  settings(_later) {
    return this.folder();
  }

  /** @param {string} path @param {Record<string, string>} [choices] @returns {Promise<OpenedFile>} */
  file(path, choices = {}) {
    return this.ask(`file?${new URLSearchParams({ path, ...choices })}`);
  }

  /** @param {string | null} path @param {Suite} data @returns {Promise<{findings: Finding[]}>} */
  check(path, data) {
    return this.ask("check", { path: path ?? undefined, data });
  }

  /**
   * @param {string | null} path
   * @param {Suite} data
   * @param {string} id of a fix, or "safe"
   * @returns {Promise<{data: Suite, applied: number}>}
   */
  fix(path, data, id) {
    return this.ask("fix", { path: path ?? undefined, data, id });
  }

  /** The text of `evalmark explain` on a rule. @param {string} code @returns {Promise<{explanation: string}>} */
  explain(code) {
    return this.ask(`explain?rule=${encodeURIComponent(code)}`);
  }

  /**
   * @param {string} formula
   * @param {string[]} conditions
   * @param {number} regions
   * @param {Record<string, string>} names of regions
   * @returns {Promise<FormulaAnswer>}
   */
  formula(formula, conditions, regions, names) {
    return this.ask("formula", { formula, conditions, regions, names });
  }

  /**
   * A table or text as a suite, or why it cannot become one; `needs` has to be chosen then, or what
   * the columns of `table` are.
   * @param {TableSource} source @param {Record<string, string>} choices
   * @returns {Promise<Pasted>}
   */
  convert(source, choices) {
    return this.ask("convert", { ...source, ...choices });
  }

  /** A table by what its columns are. @param {TableSource} source @param {TableReading} reading @returns {Promise<TableAnswer>} */
  table(source, reading) {
    return this.ask("table", { ...source, ...reading });
  }

  /**
   * Save, unless the file has changed on disk: then what it holds now.
   * @param {string} path @param {Suite} data @param {string | null} digest
   * @param {{force: boolean, export: boolean, convert: boolean}} choices
   * @returns {Promise<{saved: Saved, theirs: null} | {saved: null, theirs: Theirs}>}
   */
  save(path, data, digest, choices) {
    return this.saveUnlessChanged("save", { path, data, digest, ...choices });
  }

  /**
   * @param {string} route @param {{path: string, [name: string]: unknown}} body
   * @returns {Promise<{saved: Saved, theirs: null} | {saved: null, theirs: Theirs}>}
   */
  async saveUnlessChanged(route, body) {
    try {
      return { saved: await this.ask(route, body), theirs: null };
    } catch (error) {
      if (error instanceof EngineError && error.status === 409 && error.answer?.changed)
        return { saved: null, theirs: error.answer };
      throw error;
    }
  }

  /** @param {string} path @param {string} text @returns {Promise<CheckedText>} */
  checkText(path, text) {
    return this.ask("text/check", { path, text });
  }

  /**
   * @param {string} path
   * @param {string} text
   * @param {string} id of a fix, or "safe"
   * @returns {Promise<{text: string, applied: number}>}
   */
  fixText(path, text, id) {
    return this.ask("text/fix", { path, text, id });
  }

  /** @param {string} path @param {string} text @returns {Promise<{text: string, notes: string[], format: string}>} */
  convertText(path, text) {
    return this.ask("text/convert", { path, text });
  }

  /**
   * Save a text as it is, unless the file has changed: then what it holds now.
   * @param {string} path @param {string} text @param {string | null} digest @param {boolean} force
   * @returns {Promise<{saved: Saved, theirs: null} | {saved: null, theirs: Theirs}>}
   */
  saveText(path, text, digest, force) {
    return this.saveUnlessChanged("text/save", { path, text, digest, force });
  }

  /** @returns {Promise<{id: string, what: string, words?: string[]}[]>} `words`: all that it knows */
  models() {
    return this.ask("models");
  }

  /** Runs that are known, the newest last. @returns {Promise<RunState[]>} */
  runs() {
    return this.ask("runs");
  }

  /** @param {Record<string, unknown>} request @returns {Promise<{id: string}>} */
  start(request) {
    return this.ask("runs", request);
  }

  /** @param {string} id @returns {Promise<RunState>} */
  run(id) {
    return this.ask(`runs/${encodeURIComponent(id)}`);
  }

  /** @param {string} id @param {"stop" | "resume"} what @returns {Promise<RunState>} */
  tell(id, what) {
    return this.ask(`runs/${encodeURIComponent(id)}/${what}`, {});
  }

  /** @param {string} path @returns {Promise<Result>} */
  result(path) {
    return this.ask(`result?path=${encodeURIComponent(path)}`);
  }

  /** The page that `evalmark report` writes of one run or two. @param {string[]} runs @returns {Promise<string>} */
  report([a, b]) {
    return this.ask(`report?${new URLSearchParams(b === undefined ? { a } : { a, b })}`);
  }

  /**
   * @param {string} model
   * @param {unknown} item
   * @param {string} join
   * @param {AbortSignal} [signal]
   * @returns {Promise<{conditions: {name: string, tokens: Token[]}[]}>}
   */
  surprisals(model, item, join, signal) {
    return this.ask("surprisals", { model, item, join }, signal);
  }
}

/** Where all tabs of an address find the token of its server. */
const TOKEN = "evalmark:token";

/**
 * The token of this page: from the address, which then forgets it. Other tabs of this address have it
 * too, so that a link opens in a new one; it ends with the server.
 * @returns {string}
 */
function takeToken() {
  const url = new URL(location.href);
  const given = url.searchParams.get("token");
  if (given) {
    localStorage.setItem(TOKEN, given);
    url.searchParams.delete("token");
    history.replaceState(null, "", url);
  }
  return given ?? localStorage.getItem(TOKEN) ?? "";
}

/** `evalmark serve` answers. */
export class ServerEngine extends Engine {
  constructor() {
    super();
    this.token = takeToken();
    /** The folder that it serves; empty until it is known. */
    this.folderId = "";
    /** Called after each answer with why there is none; empty if there is one. @type {(why: string) => void} */
    this.onConnection = () => {};
  }

  /** @override */
  async folder() {
    const folder = await super.folder();
    this.folderId ||= folder.id;
    return folder;
  }

  /** Use the token of a server that was started again, in all tabs. @param {string} token */
  remember(token) {
    localStorage.setItem(TOKEN, token);
  }

  /** @override @param {string} route @param {unknown} [body] @param {AbortSignal} [signal] @returns {Promise<any>} */
  async ask(route, body, signal) {
    let response;
    try {
      response = await this.send(this.token, route, body, signal);
      if (response.status === 401 && (await this.renewed())) response = await this.send(this.token, route, body, signal);
    } catch (error) {
      if (signal?.aborted || error instanceof EngineError) throw error;
      this.onConnection("evalmark serve does not answer. This page continues when it runs again.");
      throw new EngineError("evalmark serve does not answer: is it still running?", 0, null);
    }
    const answer = await response.json().catch(() => null);
    const isRefused = response.status === 401;
    this.onConnection(isRefused ? "evalmark serve was started again. Open the address that it prints, or paste it here." : "");
    if (!response.ok)
      throw new EngineError(
        answer?.error ?? `the server answered ${response.status}`,
        response.status,
        answer,
      );
    return answer;
  }

  /** @param {string} token @param {string} route @param {unknown} [body] @param {AbortSignal} [signal] */
  send(token, route, body, signal) {
    const headers = { "X-Evalmark-Token": token, "Content-Type": "application/json" };
    const options =
      body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
    return fetch(`/api/${route}`, { ...options, signal });
  }

  /** Take the token of a new server of the same folder, if another tab knows it; true if so. */
  async renewed() {
    const token = localStorage.getItem(TOKEN);
    if (!token || token === this.token) return false;
    const response = await this.send(token, "folder");
    if (!response.ok) return false;
    const { id } = await response.json();
    if (this.folderId && id !== this.folderId) {
      const why = "another folder is served at this address now";
      this.onConnection(`${why[0].toUpperCase()}${why.slice(1)}: paste the address of yours.`);
      throw new EngineError(why, 401, null);
    }
    this.token = token;
    return true;
  }
}
