"use strict";
// The conflicts whose text has every word, a page of them at a time.
{
  const ROWS = 50;
  const all = [...document.querySelectorAll(".one")];
  const texts = all.map((one) => one.textContent.toLowerCase());
  const query = document.getElementById("query");
  const [pager, back, place, forth] = ["pager", "back", "place", "forth"].map((id) => document.getElementById(id));
  let found = all;
  let from = 0;

  const show = () => {
    const shown = new Set(found.slice(from, from + ROWS));
    all.forEach((one) => (one.hidden = !shown.has(one)));
    for (const section of document.querySelectorAll("main section")) {
      section.hidden = ![...section.querySelectorAll(".one")].some((one) => shown.has(one));
    }
    const to = Math.min(from + ROWS, found.length);
    place.textContent = found.length ? `${from + 1} to ${to} of ${found.length} pairs` : "no pairs match";
    back.disabled = from === 0;
    forth.disabled = to === found.length;
  };
  const filter = () => {
    const words = query.value.toLowerCase().split(/\s+/).filter(Boolean);
    found = all.filter((_, at) => words.every((word) => texts[at].includes(word)));
    from = 0;
    show();
  };
  const turn = (by) => {
    from += by * ROWS;
    show();
    document.querySelector("main").scrollIntoView({ block: "start" });
  };
  // A link to a part of the page shows the page of pairs with it.
  const target = document.getElementById(location.hash.slice(1));
  const first = target ? all.findIndex((one) => target.contains(one)) : -1;
  if (first > 0) from = first;
  query.addEventListener("input", filter);
  back.addEventListener("click", () => { from = Math.max(0, from - ROWS); turn(0); });
  forth.addEventListener("click", () => turn(1));
  document.getElementById("controls").hidden = false;
  pager.hidden = false;
  show();
  if (target) target.scrollIntoView({ block: "start" });
}
