"use strict";
// Two or more models side by side; which ones is kept in the URL.
{
  const { benchmarks, models, element, loadCells, matching, scoresText } = evalmarkSite;
  const table = document.getElementById("compared");
  const [pick, matches, picked, shared] = ["pick", "matches", "picked", "shared"].map((id) => document.getElementById(id));
  const places = new Map(models.map(([, , slug], place) => [slug, place]));
  const MATCHES = 12;
  let chosen = []; // of each model: its place, and of each benchmark its numbers, its rank, and what marks them

  const column = async (place) => {
    const [of, scores, ranks, same] = await loadCells(place);
    return { place, cells: new Map(of.map((benchmark, at) => [benchmark, { scores: scores[at], rank: ranks[at], same: same[at] }])) };
  };

  const show = () => {
    const counts = new Map();
    for (const { cells } of chosen) for (const benchmark of cells.keys()) counts.set(benchmark, (counts.get(benchmark) || 0) + 1);
    const least = shared.checked ? chosen.length : 1;
    const rows = [...counts].filter(([, count]) => count >= least).map(([benchmark]) => benchmark);
    rows.sort((a, b) => counts.get(b) - counts.get(a) || a - b);
    const best = chosen.map(() => 0);
    const body = rows.map((benchmark) => {
      const [slug, name, detail] = benchmarks[benchmark];
      const ranks = chosen.map(({ cells }) => cells.get(benchmark)?.rank ?? Infinity);
      const first = Math.min(...ranks);
      const isDecided = chosen.length > 1 && ranks.some((rank) => rank > first);
      const cells = chosen.map(({ cells }, at) => {
        const cell = cells.get(benchmark);
        if (!cell) return element("td", {});
        const isBest = isDecided && ranks[at] === first;
        if (isBest) best[at] += 1;
        const text = element(isBest ? "b" : "span", {}, scoresText(cell.scores, cell.same));
        const rank = cell.rank === null ? [] : [element("small", {}, `rank ${cell.rank}`)];
        return element("td", { class: "number" }, text, ...rank);
      });
      const link = element("a", { href: `benchmarks/${slug}.html` }, name);
      return element("tr", {}, element("th", { scope: "row" }, link, " ", element("small", {}, detail)), ...cells);
    });
    table.tBodies[0].replaceChildren(...body);
    const heads = chosen.map(({ place }, at) => {
      const [name, , slug] = models[place];
      const remove = element("button", { type: "button", class: "remove", "aria-label": `remove ${name}` }, "×");
      remove.addEventListener("click", () => {
        chosen = chosen.filter((other) => other.place !== place);
        keep();
      });
      const won = chosen.length > 1 ? [element("small", {}, `best in ${best[at]} of ${rows.length} `)] : [];
      return element("th", { scope: "col", class: "number" }, element("a", { href: `models/${slug}.html` }, name), ...won, remove);
    });
    table.tHead.rows[0].replaceChildren(element("th", { scope: "col" }, "benchmark"), ...heads);
    picked.textContent = chosen.length < 2 ? "choose two models or more" : `${rows.length} benchmarks${shared.checked ? " that all have" : ""}`;
  };

  const keep = () => {
    history.replaceState(null, "", `#models=${chosen.map(({ place }) => models[place][2]).join("~")}`);
    show();
  };

  const offer = () => {
    const found = pick.value.trim() ? matching(pick.value).filter((place) => !chosen.some((other) => other.place === place)) : [];
    found.sort((a, b) => models[a][0].length - models[b][0].length || a - b); // the whole name before its continuations
    const buttons = found.slice(0, MATCHES).map((place) => {
      const [name, , , count] = models[place];
      const button = element("button", { type: "button" }, `${name} `, element("small", {}, `${count} benchmarks`));
      button.addEventListener("click", async () => {
        chosen.push(await column(place));
        pick.value = "";
        offer();
        keep();
        pick.focus();
      });
      return element("li", {}, button);
    });
    matches.replaceChildren(...buttons);
    matches.hidden = !buttons.length;
    if (pick.value.trim()) picked.textContent = found.length > MATCHES ? `the first ${MATCHES} of ${found.length}` : `${found.length} match`;
  };

  const start = async () => {
    const slugs = (new URLSearchParams(location.hash.slice(1)).get("models") || "").split("~");
    const known = [...new Set(slugs)].filter((slug) => places.has(slug));
    chosen = await Promise.all(known.map((slug) => column(places.get(slug))));
    const [first, ...others] = chosen.map(({ cells }) => cells);
    if (first && ![...first.keys()].some((benchmark) => others.every((cells) => cells.has(benchmark)))) shared.checked = false;
    show();
    document.getElementById("controls").hidden = false;
  };
  pick.addEventListener("input", offer);
  shared.addEventListener("input", show);
  window.addEventListener("hashchange", start);
  document.getElementById("controls").addEventListener("submit", (event) => event.preventDefault());
  start();
}
