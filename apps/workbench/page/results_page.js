// The page of a run, or of two runs compared: what `evalmark report` writes, in a frame.
import { backLink, el } from "./dom.js";
/** @import {Engine} from "./engine.js" */

/** The frames of reports, whose addresses are given back once they have left the page.
 * @type {HTMLIFrameElement[]} */
let frames = [];

/** @param {Engine} engine @param {string[]} runs */
export async function reportPage(engine, runs) {
  const html = await engine.report(runs);
  const name = runs.join(" and ");
  document.title = `${name} – evalmark`;
  // A report that was asked for later may have come first: what is shown keeps its address.
  for (const frame of frames) if (!frame.isConnected) URL.revokeObjectURL(frame.src);
  const address = URL.createObjectURL(new Blob([html], { type: "text/html" }));
  // Not sandboxed: a frame without an origin cannot follow links inside a page at such an address.
  const shown = el("iframe", { src: address, title: `Report of ${name}` });
  frames = [...frames.filter((frame) => frame.isConnected), shown];
  return el(
    "div",
    { class: "report" },
    backLink(),
    el("h1", { tabindex: "-1" }, name),
    el("p", { class: "small" }, el("a", { href: address, target: "_blank" }, "Open the report alone"), ", to print or to save it."),
    shown,
  );
}
