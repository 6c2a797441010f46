"use strict";
// Any benchmarks as columns, sorted and filtered. The choice is kept in the URL.
{
  const { benchmarks, models, element, load, loadCells, matching, scoreText, scoresText } = evalmarkSite;
  const table = document.getElementById("matrix");
  const [query, filled, pick, matches, picked] = ["query", "filled", "pick", "matches", "picked"].map((id) =>
    document.getElementById(id),
  );
  const places = new Map(benchmarks.map(([slug], place) => [slug, place]));
  const MATCHES = 12;
  // Until somebody chooses columns, they are those of the models that are found, if these are few.
  const FEW = 20;
  let isChosen = false;
  let usual = [];
  // Of each shown column: its numbers, where those of a model are, and its place among benchmarks.
  let columns = [];
  // Which column sorts; without one, models with most of the shown columns are first.
  let sorted = null;
  let falling = false;

  const column = async (slug) => {
    const data = await load(slug);
    const at = new Map(data.models.map((model, place) => [model, place]));
    return { slug, data, at, place: places.get(slug) };
  };

  // A number with its interval, and where it is from.
  const told = ({ data, at }, index) => {
    const place = at.get(index);
    if (place === undefined) return [];
    const [scores, lower, upper] = [data.scores[place], data.lower[place], data.upper[place]];
    const isSure = lower !== null && upper !== null && !Array.isArray(scores);
    const interval = isSure ? [element("small", {}, `${scoreText(lower)} to ${scoreText(upper)}`)] : [];
    const source = data.sources.length > 1 ? [element("small", {}, data.sources[data.source[place]])] : [];
    return [scoresText(scores, data.same[place]), ...interval, ...source];
  };

  const row = (index) => {
    const [name, , slug] = models[index];
    const link = element("a", { href: `models/${slug}.html` }, name);
    const cells = columns.map((shown) => element("td", { class: "number" }, ...told(shown, index)));
    return element("tr", {}, element("th", { scope: "row" }, link), ...cells);
  };
  const fill = evalmarkSite.pager(table.tBodies[0], "models", row);

  const compared = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

  const order = (found) => {
    if (sorted === null) {
      const shown = (index) => columns.filter(({ at }) => at.has(index)).length;
      return found.map((index) => [shown(index), index]).sort((a, b) => b[0] - a[0] || a[1] - b[1]).map(([, index]) => index);
    }
    if (sorted === "model") {
      const names = new Intl.Collator("en", { numeric: true });
      const sign = falling ? -1 : 1;
      return found.sort((a, b) => sign * names.compare(models[a][0], models[b][0]));
    }
    const { at, data } = columns.find(({ slug }) => slug === sorted);
    const sign = falling ? -1 : 1;
    // Without a rank a number is sorted after all others, and before models without one.
    const key = (index) => {
      const by = at.has(index) ? data.ranked_by[at.get(index)] : null;
      return by === null ? Infinity : sign * by;
    };
    return found.map((index) => [key(index), index]).sort((a, b) => compared(a[0], b[0]) || at.has(b[1]) - at.has(a[1]) || a[1] - b[1]).map(([, index]) => index);
  };

  const show = () => {
    const found = matching(query.value).filter(
      (index) => !filled.checked || columns.every(({ at }) => at.has(index)),
    );
    fill(order(found));
    const state = new URLSearchParams();
    state.set("columns", columns.map(({ slug }) => slug).join("~"));
    if (query.value) state.set("find", query.value);
    if (filled.checked) state.set("filled", "1");
    if (sorted) state.set("sort", (falling ? "-" : "+") + sorted);
    history.replaceState(null, "", `#${state}`);
  };

  const sort = (by, first) => {
    falling = sorted === by ? !falling : first;
    sorted = by;
    heads();
    show();
  };

  const sorting = (by, label, first) => {
    const button = element("button", { type: "button" }, label);
    button.addEventListener("click", () => {
      sort(by, first);
      const again = table.querySelector(`th[data-slug="${CSS.escape(by)}"] button`);
      if (again) again.focus();
    });
    return button;
  };

  const heads = () => {
    const model = element("th", { scope: "col", "data-slug": "model" }, sorting("model", "model", false));
    const others = columns.map(({ slug, place }) => {
      const [, name, detail, isFalling] = benchmarks[place];
      const remove = element("button", { type: "button", class: "remove", "aria-label": `remove ${name}` }, "×");
      remove.addEventListener("click", () => {
        isChosen = true;
        columns = columns.filter((other) => other.slug !== slug);
        if (sorted === slug) sorted = null;
        heads();
        show();
        table.querySelector("thead button").focus();
      });
      const link = element("a", { href: `benchmarks/${slug}.html` }, "about");
      const { data } = columns.find((other) => other.slug === slug);
      const source = data.sources.length === 1 ? `, ${data.sources[0]}` : "";
      const small = element("small", {}, `${detail}${source} `, link, " ", remove);
      return element("th", { scope: "col", class: "number", "data-slug": slug }, sorting(slug, name, !isFalling), small);
    });
    for (const head of [model, ...others]) {
      if (head.dataset.slug === sorted) head.setAttribute("aria-sort", falling ? "descending" : "ascending");
    }
    table.tHead.rows[0].replaceChildren(model, ...others);
  };

  // The columns that most of the models have that are found.
  const bring = async () => {
    if (isChosen) return show();
    const asked = query.value;
    const found = asked.trim() ? matching(asked) : [];
    let slugs = usual;
    if (found.length && found.length <= FEW) {
      const counts = new Map();
      for (const [of] of await Promise.all(found.map(loadCells))) for (const place of of) counts.set(place, (counts.get(place) || 0) + 1);
      const most = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, usual.length);
      slugs = most.map(([place]) => benchmarks[place][0]);
    }
    const loaded = await Promise.all(slugs.map(column));
    if (query.value !== asked || isChosen) return; // typed on meanwhile
    columns = loaded;
    if (sorted !== "model" && !slugs.includes(sorted)) sorted = null;
    heads();
    show();
  };

  const add = async (slug) => {
    isChosen = true;
    if (!columns.some((other) => other.slug === slug)) columns.push(await column(slug));
    pick.value = "";
    offer();
    heads();
    show();
    picked.textContent = `${benchmarks[places.get(slug)][1]} added`;
    pick.focus();
  };

  const offer = () => {
    const words = pick.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = words.length
      ? benchmarks.filter(([slug, name, detail]) => {
          const text = `${name} ${detail}`.toLowerCase();
          return words.every((word) => text.includes(word)) && !columns.some((other) => other.slug === slug);
        })
      : [];
    const buttons = found.slice(0, MATCHES).map(([slug, name, detail, , count]) => {
      const button = element("button", { type: "button" }, `${name} `, element("small", {}, `${detail}; ${count} models`));
      button.addEventListener("click", () => add(slug));
      return element("li", {}, button);
    });
    matches.replaceChildren(...buttons);
    matches.hidden = !buttons.length;
    if (words.length) {
      picked.textContent = found.length > MATCHES ? `the first ${MATCHES} of ${found.length}` : `${found.length} match`;
    }
  };

  const start = async () => {
    const state = new URLSearchParams(location.hash.slice(1));
    const shown = [...table.tHead.querySelectorAll("[data-slug]")].map((head) => head.dataset.slug);
    const wanted = state.has("columns") ? state.get("columns").split("~").filter((slug) => places.has(slug)) : shown;
    isChosen = state.has("columns") && wanted.join() !== shown.join();
    usual = shown;
    columns = await Promise.all(wanted.map(column));
    query.value = state.get("find") || "";
    filled.checked = state.has("filled");
    const by = (state.get("sort") || "").slice(1);
    if (by === "model" || columns.some(({ slug }) => slug === by)) {
      [sorted, falling] = [by, state.get("sort")[0] === "-"];
    }
    heads();
    show();
    document.getElementById("controls").hidden = false;
  };

  query.addEventListener("input", () => {
    show();
    bring();
  });
  filled.addEventListener("input", show);
  pick.addEventListener("input", offer);
  start();
}
