"use strict";
// The models of a benchmark, the best first, with a filter.
{
  const { columns, models, element, matching, scoreText, scoresText } = evalmarkSite;
  const table = document.getElementById("ranking");
  const query = document.getElementById("query");
  const data = columns[table.dataset.slug];

  // Models with the same number share a rank; those at the end may have none.
  const by = data.ranked_by;
  const ranks = [];
  by.forEach((score, at) => ranks.push(score === null ? "" : at && score === by[at - 1] ? ranks[at - 1] : at + 1));

  const isOne = !table.tHead.textContent.includes("source"); // all numbers are of one source
  const cell = (text, kind) => element("td", kind ? { class: kind } : {}, String(text));
  const row = (at) => {
    const [name, , slug] = models[data.models[at]];
    const link = element("a", { href: `../models/${slug}.html#b-${table.dataset.slug}` }, name);
    const [lower, upper] = [data.lower[at], data.upper[at]];
    const isSure = lower !== null && upper !== null && !Array.isArray(data.scores[at]);
    return element(
      "tr",
      {},
      cell(ranks[at], "number"),
      element("th", { scope: "row" }, link),
      cell(scoresText(data.scores[at], data.same[at]), "number"),
      cell(isSure ? `${scoreText(lower)} to ${scoreText(upper)}` : ""),
      cell(data.samples[at] ?? "", "number"),
      cell(data.day[at], "day"),
      ...(isOne ? [] : [cell(data.sources[data.source[at]])]),
    );
  };
  const fill = evalmarkSite.pager(table.tBodies[0], "models", row);
  const show = () => {
    const found = new Set(matching(query.value));
    fill([...data.models.keys()].filter((at) => found.has(data.models[at])));
  };
  query.addEventListener("input", show);
  document.getElementById("controls").hidden = false;
  show();
}
