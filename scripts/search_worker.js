// The search of the documentation, in place of the theme's: a question is found by its words, whatever
// their endings; a section that lacks one of them is found too. Titles weigh more than texts, pages for
// readers more than reference.
const ASKING = new Set(
  ("a an and are can do does for from get how i in into is it mean my of on our put that the this to use we what " +
    "when where which why with you does have has want there be make using two evalmark find show").split(" "),
);
/** Of a word found once: in the title of a section, of its page, in its text. */
const [TITLE, PAGE, TEXT] = [6, 2.5, 1];
/** Of a list that explains a word, for a question that is about nothing else. */
const TERM = 4;
/** Sections that weigh less: they name everything, or are for those who work on evalmark. */
const FACTORS = [
  [/#(read-on|ignore-it)$/, 0.1],
  [/^(api|changelog|benchmarks|architecture|CONTRIBUTING|extending|conformance)\b/, 0.3],
  [/^(rules|commands|metrics|definitions|published-pairs)\b/, 0.5],
];
/** Occurrences after which another one adds little. */
const ENOUGH = 1.5;
const SHOWN = 20;
/** Words that ask for the same. */
const SAME = new Map([["huggingface", "hug"], ["licens", "licenc"], ["spreadsheet", "tabl"], ["excel", "tabl"], ["csv", "tabl"], ["websit", "sit"]]);

/** A word without its ending: plots, plotted and plotting are plot. @param {string} word */
function stem(word) {
  const short = word.replace(/(at(ed|ing|e)|(at)?ions?|ings?|ies|ers?|ed|es|s|e|y|al)$/, "");
  const found = short.length < 3 ? word : short.replace(/([^aeiouls])\1$/, "$1");
  return SAME.get(found) ?? found;
}

const ASKED = new Set([...ASKING].map(stem));

/** @param {string} text @returns {{word: string, start: number, end: number}[]} */
function wordsOf(text) {
  const found = [];
  let start = 0;
  // Markup is not text; its length is.
  for (const part of text.split(/(<[^>]*>|&\w+;)/)) {
    if (!part.startsWith("<") && !part.startsWith("&"))
      for (const match of part.matchAll(/[\p{L}\p{N}]+/gu)) {
        const word = match[0].normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
        found.push({ word: stem(word), start: start + match.index, end: start + match.index + match[0].length });
      }
    start += part.length;
  }
  return found;
}

let items = [];

function prepare(all) {
  items = all.map((item) => {
    const fields = { title: wordsOf(item.title), path: item.path.flatMap(wordsOf), text: wordsOf(item.text) };
    const weights = new Map();
    const add = (words, weight) => {
      const counts = new Map();
      for (const { word } of words) counts.set(word, (counts.get(word) ?? 0) + 1);
      for (const [word, count] of counts)
        weights.set(word, (weights.get(word) ?? 0) + (weight * count * (1 + ENOUGH)) / (count + ENOUGH));
    };
    // A title of few words is about each of them.
    add(fields.title, TITLE / Math.sqrt(Math.max(1, fields.title.length)));
    add(fields.path.slice(-8), PAGE / Math.sqrt(Math.max(1, fields.path.length)));
    add(fields.text, TEXT / Math.sqrt(1 + fields.text.length / 150));
    const [, factor] = FACTORS.find(([place]) => place.test(item.location)) ?? [null, 1];
    const terms = new Set([...item.text.matchAll(/<li>([^<:]{2,30}):/g)].flatMap(([, term]) => wordsOf(term)).map(({ word }) => word));
    return { fields, weights, terms, factor };
  });
  rarity = new Map();
  for (const { weights } of items) for (const word of weights.keys()) rarity.set(word, (rarity.get(word) ?? 0) + 1);
  for (const [word, count] of rarity) rarity.set(word, Math.log(1 + items.length / count));
}
/** @type {Map<string, number>} */
let rarity = new Map();

/** The words that a typed one stands for: itself, or those that it begins. @param {string} typed @param {boolean} isLast */
function meant(typed, isLast) {
  if (rarity.has(typed) && !isLast) return [typed];
  const begun = [...rarity.keys()].filter((word) => word.startsWith(typed));
  return begun.length || typed.length < 4 ? begun : [...rarity.keys()].filter((word) => isNear(word, typed));
}

/** True if one letter is wrong, missing, too many or swapped. @param {string} one @param {string} other */
function isNear(one, other) {
  if (Math.abs(one.length - other.length) > 1) return false;
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const [rest, others] = [one.slice(at), other.slice(at)];
  return (
    rest.slice(1) === others || rest === others.slice(1) || rest.slice(1) === others.slice(1) ||
    (rest[0] === others[1] && rest[1] === others[0] && rest.slice(2) === others.slice(2))
  );
}

function search(input) {
  let asked = wordsOf(input).map(({ word }) => word);
  const known = asked.filter((word) => !ASKED.has(word));
  asked = known.length ? known : asked;
  const groups = asked.map((word, at) => meant(word, at === asked.length - 1)).filter((group) => group.length);
  const scored = items.map(({ weights, terms, factor }, id) => {
    let score = 0;
    let found = 0;
    groups.forEach((group, at) => {
      // What the last word may become counts less than what it is.
      const best = Math.max(...group.map((word) => (weights.get(word) ?? 0) * (word === asked[at] ? 1 : 0.7) * rarity.get(word)));
      score += best + (groups.length === 1 && terms.has(asked[at]) ? TERM * rarity.get(asked[at]) : 0);
      found += best > 0;
    });
    return { id, score: score * factor * (found / groups.length) ** 2 };
  });
  const best = scored.filter(({ score }) => score > 0).sort((one, other) => other.score - one.score || one.id - other.id);
  const words = new Set(groups.flat());
  return {
    items: best.slice(0, SHOWN).map(({ id, score }) => ({ id, score, matches: matchesOf(id, words) })),
    query: { select: {}, values: [] },
    pagination: { total: Math.min(SHOWN, best.length) },
  };
}

/** Where the words are, for the theme to mark them. */
function matchesOf(id, words) {
  return ["title", "text"].map((field) => ({
    id, field, score: 0,
    value: {
      highlight: {
        ranges: items[id].fields[field]
          .filter(({ word }) => words.has(word))
          .map(({ start, end }) => ({ start, end, value: end - start })),
      },
    },
  }));
}

self.onmessage = ({ data: { type, data } }) => {
  if (type === 0) {
    prepare(data.items);
    self.postMessage({ type: 1 });
  } else if (type === 2) {
    self.postMessage({ type: 3, data: search(typeof data.input === "string" ? data.input : "") });
  }
};
