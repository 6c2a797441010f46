// Answers questions about the modules of the page, one JSON line each: [function, arguments].
import { createInterface } from "node:readline";
import * as clipboard from "../../../apps/workbench/page/suite/clipboard.js";
import { references, remember } from "../../../apps/workbench/page/formula/references.js";
import { joinRegions } from "../../../apps/workbench/page/suite/sentences.js";
import * as edits from "../../../apps/workbench/page/suite/edits.js";
import { replaceText } from "../../../apps/workbench/page/suite/replacing.js";
import * as structure from "../../../apps/workbench/page/suite/structure.js";
import { formulasFor, TEMPLATES } from "../../../apps/workbench/page/suite/templates.js";
import { differences, merged } from "../../../apps/workbench/page/suite/merging.js";
import { OpenSessions } from "../../../apps/workbench/page/suite/open_sessions.js";
import { FindingIndex } from "../../../apps/workbench/page/panels/findings.js";
import { Session } from "../../../apps/workbench/page/suite/state.js";
import * as storage from "../../../apps/workbench/page/suite/storage.js";
import { Refusal } from "../../../apps/workbench/page/suite/types.js";

const every = { ...edits, ...structure, replaceText };
const browserStorage = Object.create({
  getItem(key) {
    return this[key] ?? null;
  },
  setItem(key, value) {
    this[key] = value;
  },
  removeItem(key) {
    delete this[key];
  },
});
Object.defineProperty(globalThis, "localStorage", { value: browserStorage });

const functions = {
  references(formula, isReadable) {
    remember(formula, isReadable);
    return references(formula);
  },
  formulasFor,
  templates: () => TEMPLATES,
  join: joinRegions,
  toTSV: clipboard.toTSV,
  fromTSV: clipboard.fromTSV,
  /** The suite after edits, undo and redo, and the edits that are refused, by position. */
  session(data, steps, unreadable = []) {
    for (const formula of unreadable) remember(formula, false);
    const session = new Session(data);
    const refused = [];
    steps.forEach(([name, ...given], at) => {
      if (name === "undo" || name === "redo") return session[name]();
      try {
        session.apply(name, (suite) => every[name](suite, ...given), {});
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        refused.push([at, error.message]);
      }
    });
    return { data: session.data, refused, isChanged: session.isChanged };
  },
  /** Where two versions differ, and what choosing one side everywhere, and whoever changed it, makes. */
  merge(base, theirs, mine) {
    const places = differences(base, theirs, mine);
    if (!places) return null;
    const of = (kept) => merged(theirs, mine, new Set(kept.map(({ key }) => key)));
    const both = of(places.filter(({ changed }) => changed === "theirs"));
    return { places, theirs: of(places), mine: of([]), both };
  },
  /** What is underlined where. */
  underlined(findings) {
    const { at } = new FindingIndex(findings);
    const shown = ({ severity, message, start, end }) => [severity, message, start, end];
    return Object.fromEntries([...at].map(([key, found]) => [key, found.map(shown)]));
  },
  /** What is kept of new suites, each in a window of its own. */
  newSuites(...suites) {
    for (const data of suites) {
      const session = new Session(data);
      storage.keep("root", session.keptAs, { data, digest: null, when: 0, format: "json" });
    }
    const { paths, ids } = storage.unsaved("root");
    return { paths, suites: ids.map((id) => storage.kept("root", storage.newName(id)).data) };
  },
  /** What is kept here after another address has brought what it has kept. */
  brought(here, all) {
    for (const [name, kept] of Object.entries(here)) storage.keep("folder", name, kept);
    storage.bring("folder", Object.fromEntries(Object.entries(all).map(([name, kept]) => [name, JSON.stringify(kept)])));
    return Object.fromEntries(Object.keys(all).map((name) => [name, storage.kept("folder", name)]));
  },
  /** The suite after an edit, another page, and undo, if the file has this digest when one is back. */
  comeBack(data, digest, choices) {
    const session = new Session(data, { path: "a.json", digest: "old" });
    session.apply("rename", (suite) => edits.setMeta(suite, "name", "renamed"));
    const sessions = new OpenSessions();
    sessions.put(session, {});
    const found = sessions.take("a.json", { digest, converted: true }, choices);
    const work = sessions.work("a.json").data.meta.name;
    return found?.undo() ? { undone: found.data, work } : { work };
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...given] = JSON.parse(line);
  let answer;
  try {
    answer = { value: functions[name](...given) };
  } catch (error) {
    answer = { error: String(error.stack) };
  }
  process.stdout.write(JSON.stringify(answer) + "\n");
}
