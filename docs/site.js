// What the theme lacks: a filter of the table of rules, and what screen readers and keyboards need.
const named = () => {
  for (const bar of document.querySelectorAll(".md-code__nav:not([role])")) {
    bar.setAttribute("role", "none");
    bar.firstElementChild?.setAttribute("aria-label", "Copy to clipboard");
  }
  for (const frame of document.querySelectorAll(".md-typeset__scrollwrap:not([tabindex])")) frame.tabIndex = 0;
};
new MutationObserver(named).observe(document.body, { childList: true, subtree: true });
named();
for (const empty of document.querySelectorAll("th:empty")) empty.replaceWith(document.createElement("td"));
document.querySelector(".md-path")?.setAttribute("aria-label", "Path");

if (/\/rules\.html$/.test(location.pathname)) {
  document.body.classList.add("rules");
  const rows = [...document.querySelectorAll("article tbody tr")];
  const field = Object.assign(document.createElement("input"), { type: "search", className: "filter" });
  field.placeholder = "code, name, severity or words";
  field.ariaLabel = "Filter the rules";
  const count = document.createElement("output");
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/);
    for (const row of rows) row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
    // A table without rows goes with its heading.
    for (const heading of document.querySelectorAll("article h2")) {
      const frame = heading.nextElementSibling;
      heading.hidden = frame.hidden = !frame.querySelector("tbody tr:not([hidden])");
    }
    count.textContent = `${rows.filter((row) => !row.hidden).length} of ${rows.length}`;
  });
  document.querySelector("article h2").before(field, count);
}
