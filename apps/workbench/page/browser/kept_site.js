// The site is kept for visits without a network; a new version of it is offered, and never forced.
import { button, el } from "../dom.js";

/** Keep the site. Hosts without https, and some private windows, keep none. */
export async function keepSite() {
  try {
    const found = await navigator.serviceWorker?.register(new URL("service_worker.js", document.baseURI));
    if (!found) return;
    if (found.waiting) offer(found);
    found.addEventListener("updatefound", () => {
      const { installing } = found;
      installing?.addEventListener("statechange", () => {
        if (installing.state === "installed" && navigator.serviceWorker.controller) offer(found);
      });
    });
  } catch {
    // The page works all the same, with a network.
  }
}

/** @param {ServiceWorkerRegistration} found */
function offer(found) {
  const replace = button("Use it", () => {
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload());
    found.waiting?.postMessage("replace");
    replace.disabled = true;
  });
  document.body.prepend(
    el("p", { class: "notice", role: "status" }, "A new version of this page is ready. Your files and edits stay. ", replace),
  );
}
