// The page of a run, or of two runs compared: what `evalmark report` writes, in a frame.
import { backLink, el } from "./dom.js";
/** @import {Engine} from "./engine.js" */

/** The address of the report that is shown. */
let address = "";

/** @param {Engine} engine @param {string[]} runs */
export async function reportPage(engine, runs) {
  const html = await engine.report(runs);
  const name = runs.join(" and ");
  document.title = `${name} – evalmark`;
  URL.revokeObjectURL(address);
  address = URL.createObjectURL(new Blob([html], { type: "text/html" }));
  return el(
    "div",
    { class: "report" },
    backLink(),
    el("h1", { tabindex: "-1" }, name),
    el("p", { class: "small" }, el("a", { href: address, target: "_blank" }, "Open the report alone"), ", to print or to save it."),
    el("iframe", { src: address, title: `Report of ${name}` }),
  );
}
