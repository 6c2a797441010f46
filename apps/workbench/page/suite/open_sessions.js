// Suites that this window has shown: going to another page and back keeps what can be undone.
/** @import {Session} from "./state.js" */

/** @typedef {Record<string, string>} Choices which suite of a file it is */

/** The most suites whose steps are remembered; beyond, those that were shown longest ago go. */
const MOST = 20;

export class OpenSessions {
  constructor() {
    /** @type {Map<string, {session: Session, choices: Choices}>} */
    this.known = new Map();
  }

  /** A suite is left. @param {Session} session @param {Choices} [choices] */
  put(session, choices = {}) {
    session.leave();
    this.known.delete(session.keptAs);
    this.known.set(session.keptAs, { session, choices });
    for (const name of [...this.known.keys()].slice(0, -MOST)) this.known.delete(name);
  }

  /**
   * Work that only this window has: another one has saved the file, and what was kept is gone.
   * @param {string} name
   */
  work(name) {
    const session = this.known.get(name)?.session;
    if (!session?.hasWork) return null;
    return { data: session.committed, digest: session.digest, when: Date.now(), format: session.format };
  }

  /**
   * The session of a suite, if the file is still as the session knows it.
   * @param {string} name its path, or that of a new suite
   * @param {{digest: string, converted?: boolean} | null} file null for a new suite
   * @param {Choices} [choices]
   * @returns {Session | null}
   */
  take(name, file, choices = {}) {
    const found = this.known.get(name);
    if (!found || (file && file.digest !== found.session.digest)) return null;
    const isSame = !file?.converted || JSON.stringify(found.choices) === JSON.stringify(choices);
    return isSame ? found.session : null;
  }
}
