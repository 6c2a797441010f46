// A server that has gone, or was started again: the page waits for it, or is told where it is now.
import { announce, el } from "./dom.js";
import { packed, unpacked } from "./packing.js";
import { bring, carried } from "./suite/storage.js";
/** @import {ServerEngine} from "./engine.js" */

/** Milliseconds between two looks whether the server is back. */
const AGAIN = 1500;
/** Characters of an address that browsers follow. */
const LONGEST = 1_500_000;
/** Before the edits that an address brings along. */
export const CARRIED = "carried";

export class Connection {
  /**
   * @param {ServerEngine} engine
   * @param {{root: () => string, keep: () => boolean, leave: () => void, back: () => void}} page the folder of
   *   the page, what keeps its edits (whether there was room) and takes it down, and what continues when the
   *   server answers again
   */
  constructor(engine, page) {
    this.engine = engine;
    this.page = page;
    this.why = el("p", { role: "alert" });
    this.field = el("input", {
      type: "url",
      required: true,
      autocomplete: "off",
      spellcheck: "false",
      placeholder: `${location.origin}/?token=…`,
      oninput: () => this.field.setCustomValidity(""),
    });
    this.element = el(
      "section",
      { class: "notice connection", "aria-label": "Connection", hidden: true },
      this.why,
      el(
        "form",
        {
          class: "row-of",
          onsubmit: (/** @type {Event} */ event) => {
            event.preventDefault();
            void this.connect();
          },
        },
        el("label", { class: "field" }, el("span", {}, "its address now"), this.field),
        el("button", { type: "submit" }, "Connect"),
      ),
    );
    document.body.prepend(this.element);
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.timer = undefined;
    engine.onConnection = (why) => this.show(why);
    // Another tab has been opened with the new address.
    addEventListener("storage", () => this.timer && this.look());
  }

  /** @param {string} why the server does not answer; empty if it does */
  show(why) {
    if (!why && this.timer === undefined) return;
    this.element.hidden = !why;
    const text = why && `${why} Your unsaved edits are kept in this browser.`;
    if (this.why.textContent !== text) this.why.textContent = text;
    if (why) {
      this.timer ??= setInterval(() => this.look(), AGAIN);
      return;
    }
    clearInterval(this.timer);
    this.timer = undefined;
    announce("evalmark serve answers again");
    this.page.back();
  }

  look() {
    void this.engine.runs().catch(() => {}); // whether it answers is told to `show`
  }

  async connect() {
    const url = URL.canParse(this.field.value) ? new URL(this.field.value) : null;
    const token = url?.searchParams.get("token");
    if (!url || !token || !["127.0.0.1", "localhost"].includes(url.hostname)) {
      return this.refuse("paste the whole address that evalmark serve prints, with its token");
    }
    if (url.origin === location.origin) {
      this.engine.remember(token);
      return this.look();
    }
    const isKept = this.page.keep();
    const root = this.page.root();
    const brought = await packed({ root, hash: location.hash, kept: carried(root) });
    if (!isKept || brought.length > LONGEST) {
      return this.refuse(`your unsaved edits are too large to take along: start it with --port ${location.port}`);
    }
    this.page.leave();
    location.href = `${url.origin}/?${new URLSearchParams({ token })}#/${CARRIED}/${brought}`;
  }

  /** @param {string} why */
  refuse(why) {
    this.field.setCustomValidity(why);
    this.field.reportValidity();
  }
}

/**
 * Keep the unsaved edits that an address brings along, if they are of this folder; what was shown.
 * @param {string} text @param {string} root
 * @returns {Promise<string>}
 */
export async function unpack(text, root) {
  try {
    const { root: theirs, hash, kept } = JSON.parse((await unpacked(text)) ?? "");
    if (theirs !== root) {
      announce("another folder is served here: your unsaved edits stay at the address before");
      return "#/";
    }
    bring(root, kept);
    return /^#\//.test(hash) ? hash : "#/";
  } catch {
    announce("your unsaved edits stay at the address before: they cannot be kept here");
    return "#/"; // cut off, not ours, or no room
  }
}
