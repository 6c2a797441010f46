// The site without a network: all of its files are kept, whole and of one version.
// `evalmark serve --static` writes them in front: `self.siteFiles`, a path and the integrity of each.

const worker = /** @type {any} */ (self);
/** @type {Record<string, string>} */
const FILES = worker.siteFiles;
const SCOPE = new URL("./", worker.location.href);
/** Other sites of the host have their own. */
const CACHE = `evalmark ${SCOPE.href}`;

/** The key under which a file is kept: another version of it has another key. @param {string} path */
const keyOf = (path) => new URL(`${path}?${encodeURIComponent(FILES[path])}`, SCOPE).href;

/** @param {Cache} cache @param {string} path */
async function keep(cache, path) {
  // Some hosts lead from the page's own name to its folder.
  const url = new URL(path === "index.html" ? "./" : path, SCOPE);
  const integrity = FILES[path];
  // Files that the page has just loaded are not loaded again, unless they have another version.
  const { body, headers, ok } = await fetch(url, { integrity }).catch(() => fetch(url, { integrity, cache: "reload" }));
  if (!ok) throw new Error(`${path} cannot be loaded`);
  await cache.put(keyOf(path), new Response(body, { headers }));
}

async function install() {
  const cache = await caches.open(CACHE);
  const kept = new Set((await cache.keys()).map(({ url }) => url));
  const missing = Object.keys(FILES).filter((path) => !kept.has(keyOf(path)));
  await Promise.all(missing.map((path) => keep(cache, path)));
}

/** Drop the files of earlier versions. */
async function activate() {
  const wanted = new Set(Object.keys(FILES).map(keyOf));
  const cache = await caches.open(CACHE);
  const gone = (await cache.keys()).filter(({ url }) => !wanted.has(url));
  await Promise.all(gone.map((request) => cache.delete(request, { ignoreVary: true })));
  await worker.clients.claim();
}

/** @param {Request} request @param {string} path */
async function answer(request, path) {
  const cache = await caches.open(CACHE);
  return (await cache.match(keyOf(path), { ignoreVary: true })) ?? fetch(request);
}

worker.addEventListener("install", (/** @type {any} */ event) => event.waitUntil(install()));
worker.addEventListener("activate", (/** @type {any} */ event) => event.waitUntil(activate()));
worker.addEventListener("message", () => worker.skipWaiting());
worker.addEventListener("fetch", (/** @type {any} */ event) => {
  const { method, url } = event.request;
  if (method !== "GET" || !url.startsWith(SCOPE.href)) return;
  const path = new URL(url).pathname.slice(SCOPE.pathname.length) || "index.html";
  if (Object.hasOwn(FILES, path)) event.respondWith(answer(event.request, path));
});
