"use strict";
// Sorts and filters tables. Without it the page has the same content, in one order.
const all = (selector, within) => [...(within || document).querySelectorAll(selector)];

// A click on a heading sorts by its column: numbers by size, what is not a number by the alphabet.
const key = (row, column) => {
  const cell = row.cells[column];
  const text = cell.textContent.trim();
  const number = parseFloat(cell.dataset.number || text.replace("−", "-"));
  return { text, number, empty: text === "" };
};
const compare = (a, b) =>
  a.empty - b.empty ||
  (isNaN(a.number) || isNaN(b.number) ? a.text.localeCompare(b.text, "en", { numeric: true }) : a.number - b.number);

for (const table of all("table.sortable, #compared table")) {
  const heads = all("thead th", table);
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    // Links stay outside of the button, below it.
    button.append(...[...head.childNodes].filter((child) => child.nodeName !== "SMALL"));
    head.prepend(button);
    button.addEventListener("click", () => {
      const falling = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", falling ? "descending" : "ascending");
      const body = table.tBodies[0];
      const keyed = [...body.rows].map((row) => [key(row, column), row]);
      keyed.sort(([a], [b]) => (falling && !a.empty && !b.empty ? -1 : 1) * compare(a, b));
      body.append(...keyed.map(([, row]) => row));
    });
  });
}

// Words and tags choose rows; the two views are the style sheet's.
const filter = document.getElementById("filter");
if (filter) {
  const [words, tags] = [filter.querySelector("input"), all("select", filter)];
  const views = all(".views input[type=checkbox]");
  const rows = all("table.sortable tbody tr");
  const count = document.getElementById("count");
  const show = () => {
    const asked = tags.map((tag) => tag.value).filter(Boolean);
    const wanted = words.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      const own = all(".tag", row).map((one) => one.textContent);
      row.hidden = !asked.every((tag) => own.includes(tag)) || !wanted.every((word) => text.includes(word));
      const viewed = views.every((view) => !view.checked || row.classList.contains(view.id));
      shown += !row.hidden && viewed;
    }
    const chosen = new Set(rows.filter((row) => !row.hidden).map((row) => row.querySelector("a").hash));
    const filtered = wanted.length > 0 || asked.length > 0;
    for (const section of all("section.suite")) section.hidden = filtered && !chosen.has("#" + section.id);
    count.textContent = `${shown} of ${rows.length} rows`;
  };
  filter.hidden = false;
  for (const field of [words, ...tags, ...views]) field.addEventListener("input", show);
  const failed = document.getElementById("failed");
  failed?.addEventListener("input", () => {
    if (failed.checked) for (const items of all("section.failed details.items")) items.open = true;
  });
  show();
}
