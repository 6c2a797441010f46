// A link that holds a suite: compressed behind the `#`, which browsers send to no server.
import { ask, tell } from "../dialogs.js";
import { announce, button, el } from "../dom.js";
import { EngineError } from "../engine.js";
import { packed, unpacked } from "../packing.js";
/** @import {BrowserEngine} from "./engine.js" */
/** @import {Session} from "../suite/state.js" */

/** Characters of a link: mail and chat programs cut longer ones. */
const LONGEST = 30_000;
/** Bytes of the text in a link: a short one can be of a text that fills the memory. */
const LARGEST = 2_000_000;

/** @param {string} why */
const refuse = (why) => new EngineError(`this link holds no suite: ${why}`, 0, null);

/** The suite in a link, checked by evalmark. @param {BrowserEngine} engine @param {string} part */
export async function suiteIn(engine, part) {
  if (part.length > LONGEST) throw refuse(`it is longer than ${LONGEST.toLocaleString("en")} characters`);
  const text = await unpacked(part, LARGEST).catch(() => Promise.reject(refuse("it is cut off, or changed")));
  if (text === null) throw refuse(`its text has more than ${LARGEST / 1e6} MB`);
  const source = { text, name: "link.json" };
  const { data, notes = [], refused } = await engine.convert(source, {});
  if (!data) throw refuse(refused ?? "it is of another kind");
  return { data, notes };
}

/** The same link is the same new suite, with the edits that were made in it. @param {string} part */
export function idOf(part) {
  let hash = 0;
  for (const character of part) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) | 0;
  return `link-${part.length}-${(hash >>> 0).toString(36)}`;
}

/** @param {string} fragment */
const address = (fragment) => new URL(`#/${fragment}`, document.baseURI).href;

/** The link of a suite; null if it is too long. @param {BrowserEngine} engine @param {Session} session */
async function linkOf(engine, session) {
  const { path } = session;
  if (path !== null && !session.hasWork && engine.given.has(path)) return address(`suite/${encodeURIComponent(path)}`);
  const link = address(`shared/${await packed(session.data)}`);
  return link.length > LONGEST ? null : link;
}

/** @param {BrowserEngine} engine @param {Session} session */
export function linkButton(engine, session) {
  const copy = async () => {
    const link = await linkOf(engine, session);
    if (link === null) {
      const why = `This suite is too large for a link of ${LONGEST.toLocaleString("en")} characters: save it, and send the file.`;
      return tell("No link", why);
    }
    try {
      await navigator.clipboard.writeText(link);
      announce("the link is copied: whoever opens it gets a copy of this suite");
    } catch {
      const field = el("textarea", { rows: 6, readonly: true, "aria-label": "Link", value: link });
      await ask("Copy this link", [field], [{ value: "ok", text: "OK", class: "main" }]);
    }
    return null;
  };
  return button("Copy a link", () => void copy(), { title: "A link that holds this suite" });
}
