
// Shared by the tables of a site: numbers, pages of rows, and data that is loaded when it is shown.
const evalmarkSite = {
  models: [], // [name, developer, slug, number of benchmarks]
  benchmarks: [], // [slug, name, what is measured, whether lower is better, number of models]
  columns: { __proto__: null }, // no benchmark is there before it is loaded; slug -> parallel lists, a place for each model
  groups: [], // [name, folder, slug] of collections and data sets
  cells: { __proto__: null }, // number of a chunk -> of each of its models: benchmarks, numbers, ranks, marks
  chunk: 64, // models of a chunk
  rows: 100, // rows of a page of a table
};

// The same as score_text in contents.py.
evalmarkSite.scoreText = (score) => {
  const size = Math.abs(score);
  if (size === Infinity) return score > 0 ? "∞" : "−∞";
  const text =
    size >= 1e6 || (size > 0 && size < 1e-3)
      ? score.toExponential(2).replace(/e([+-])(\d)$/, "e$10$2")
      : score.toFixed(size < 1 ? 4 : size < 10 ? 3 : size < 100 ? 2 : size < 1000 ? 1 : 0);
  return text.replace(/-/g, "−");
};

// The same as the text of a cell: the number that represents a model, and the others. Of the marks, 1
// means that they contradict each other, and 2 that a record has errors.
evalmarkSite.scoresText = (scores, marks) => {
  const numbers = [scores].flat();
  let [first, ...others] = numbers.map(evalmarkSite.scoreText);
  if (others.length >= 2) {
    const ends = [Math.min(...numbers), Math.max(...numbers)].map(evalmarkSite.scoreText);
    others = [`${numbers.length} from ${ends.join(" to ")}`];
  }
  return [first, ...others].join(marks & 1 ? " ≠ " : ", ") + (marks & 2 ? " (errors)" : "");
};

evalmarkSite.element = (name, attributes, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
};

// A part of the numbers; a script works from a disk too, where fetch does not.
evalmarkSite.loadPart = (what, name) =>
  new Promise((resolve, reject) => {
    if (evalmarkSite[what][name]) return resolve(evalmarkSite[what][name]);
    const script = evalmarkSite.element("script", { src: `data/${what}/${encodeURIComponent(name)}.js` });
    script.onload = () => resolve(evalmarkSite[what][name]);
    script.onerror = () => reject(new Error(`data/${what}/${name}.js cannot be loaded`));
    document.head.append(script);
  });

// The numbers of a benchmark.
evalmarkSite.load = (slug) => evalmarkSite.loadPart("columns", slug);

// The numbers of a model.
evalmarkSite.loadCells = async (place) => {
  const chunk = await evalmarkSite.loadPart("cells", Math.floor(place / evalmarkSite.chunk));
  return chunk[place % evalmarkSite.chunk];
};

// Shows a page of rows; `draw` makes the row of an index.
evalmarkSite.pager = (body, what, draw) => {
  const [pager, back, place, forth] = ["pager", "back", "place", "forth"].map((id) => document.getElementById(id));
  let rows = [];
  let from = 0;
  const number = (count) => count.toLocaleString("en");
  const show = () => {
    const to = Math.min(from + evalmarkSite.rows, rows.length);
    body.replaceChildren(...rows.slice(from, to).map(draw));
    place.textContent = rows.length
      ? `${number(from + 1)} to ${number(to)} of ${number(rows.length)} ${what}`
      : `no ${what} match`;
    back.disabled = from === 0;
    forth.disabled = to === rows.length;
    pager.hidden = false;
  };
  const turn = (by) => {
    from += by * evalmarkSite.rows;
    show();
    body.closest("table").scrollIntoView({ block: "start" });
  };
  back.addEventListener("click", () => turn(-1));
  forth.addEventListener("click", () => turn(1));
  return (found) => {
    rows = found;
    from = 0;
    show();
  };
};

// The indexes of the models whose name or developer has every word.
evalmarkSite.matching = (text) => {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  evalmarkSite.searched ??= evalmarkSite.models.map(([name, developer]) => `${name} ${developer}`.toLowerCase());
  const found = [];
  evalmarkSite.searched.forEach((model, index) => {
    if (words.every((word) => model.includes(word))) found.push(index);
  });
  return found;
};
