"use strict";
// One search for models, benchmarks, collections and data sets.
{
  const { models, benchmarks, groups, element } = evalmarkSite;
  const MATCHES = 20;
  const [query, found, count] = ["search", "found", "count"].map((id) => document.getElementById(id));
  const folders = { collections: "collection", datasets: "data set" };
  const things = [
    ...groups.map(([name, folder, slug]) => ({ name, detail: folders[folder], page: `${folder}/${slug}` })),
    ...benchmarks.map(([slug, name, detail, , number]) => ({ name, detail: `benchmark, ${number} models; ${detail}`, page: `benchmarks/${slug}` })),
    ...models.map(([name, developer, slug, number]) => ({ name, detail: `model, ${number} benchmarks`, also: developer, page: `models/${slug}` })),
  ];
  const texts = things.map(({ name, detail, also = "" }) => `${name} ${also} ${detail}`.toLowerCase());
  const names = things.map(({ name }) => name.toLowerCase());

  const show = () => {
    const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
    const places = words.length ? [...things.keys()].filter((at) => words.every((word) => texts[at].includes(word))) : [];
    // Names that have the words come before things that have them elsewhere, short names first.
    const named = (at) => words.every((word) => names[at].includes(word));
    places.sort((a, b) => named(b) - named(a) || names[a].length - names[b].length || a - b);
    const entries = places.slice(0, MATCHES).map((at) => {
      const { name, detail, page } = things[at];
      return element("li", {}, element("a", { href: `${page}.html` }, name), " ", element("small", {}, detail));
    });
    found.replaceChildren(element("ul", { "aria-label": "Matches" }, ...entries));
    found.hidden = !entries.length;
    count.textContent = words.length ? (places.length > MATCHES ? `the first ${MATCHES} of ${places.length.toLocaleString("en")}` : `${places.length} found`) : "";
  };
  query.addEventListener("input", show);
  document.getElementById("controls").addEventListener("submit", (event) => {
    event.preventDefault();
    const first = found.querySelector("a");
    if (first) first.click();
  });
  document.getElementById("controls").hidden = false;
  show();
}
