// A new suite: from a template, or from text that evalmark can read (rows, tables, pairs, old suites).
import { button, el, fill, labelled, withCode } from "./dom.js";
import { EngineError } from "./engine.js";
import { CHARACTERS, normalName } from "./suite/names.js";
import { TEMPLATES, exampleFor, formulasFor, listed, newSuiteOf } from "./suite/templates.js";
/** @import {Engine} from "./engine.js" */
/** @import {Suite} from "./suite/types.js" */

/** @param {Engine} engine @param {(data: Suite, notes: string[]) => void} begin */
export function newSuite(engine, begin) {
  return el(
    "section",
    { "aria-labelledby": "new-title" },
    el("h2", { id: "new-title" }, "New suite"),
    el("div", { class: "two" }, fromTemplate(begin), fromText(engine, begin)),
  );
}

/** @param {(data: Suite, notes: string[]) => void} begin */
function fromTemplate(begin) {
  const template = el("select", {}, ...Object.keys(TEMPLATES).map((name) => el("option", {}, name)));
  const name = el("input", { type: "text", value: "my_suite", autocomplete: "off", required: true });
  const conditions = el("input", {
    type: "text",
    autocomplete: "off",
    required: true,
    pattern: `[${CHARACTERS}, ]+`,
    title: "letters, digits, _ and -, with commas between the names",
  });
  const regions = el("input", { type: "text", autocomplete: "off", required: true });
  const items = el("input", { type: "number", min: 1, max: 1000, value: 4, required: true });
  const choose = () => {
    conditions.value = TEMPLATES[template.value].conditions;
    regions.value = TEMPLATES[template.value].regions;
  };
  template.addEventListener("change", choose);
  choose();
  const form = el(
    "form",
    {
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        const names = [...new Set(listed(conditions.value).map(normalName))];
        const columns = listed(regions.value);
        const formulas = formulasFor(template.value, names, columns);
        const texts = exampleFor(template.value, names, columns);
        begin(newSuiteOf(name.value, names, columns, Number(items.value), formulas, texts), []);
      },
    },
    el("h3", {}, "From a template"),
    labelled("template", template),
    labelled("name", name),
    labelled("conditions", conditions, "With commas between them."),
    labelled("regions", regions, "With commas between them."),
    labelled("items", items),
    el("button", { type: "submit", class: "main" }, "Begin"),
  );
  return form;
}

/** @param {Engine} engine @param {(data: Suite, notes: string[]) => void} begin */
function fromText(engine, begin) {
  const text = el("textarea", {
    rows: 7,
    spellcheck: "false",
    required: true,
    placeholder: "item\tcondition\tSubject\tVerb\n1\tmatch\tThe author\tlaughs",
  });
  const file = el("input", { type: "file", accept: ".csv,.tsv,.json,.jsonl,.yaml,.yml,.txt" });
  const answer = el("div", { role: "status" });
  let name = "";
  file.addEventListener("change", async () => {
    const chosen = file.files?.[0];
    if (!chosen) return;
    name = chosen.name;
    text.value = await chosen.text();
  });
  text.addEventListener("input", () => {
    name = "";
  });
  /** @param {Record<string, string>} choices */
  const convert = async (choices) => {
    fill(answer, "…");
    try {
      const found = await engine.convert(text.value, name, choices);
      if (found.data) return begin(found.data, found.notes ?? []);
      const { needs, refused = "", choices: known = [] } = found;
      fill(
        answer,
        el("p", { class: "bad" }, ...withCode(refused)),
        ...(needs ? known.slice(0, 200).map((one) => button(one, () => void convert({ [needs]: one }))) : []),
      );
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      fill(answer, el("p", { class: "bad" }, error.message));
    }
  };
  return el(
    "form",
    {
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        void convert({});
      },
    },
    el("h3", {}, "From rows, CSV, minimal pairs or an old suite"),
    labelled("text", text, "Paste rows from a spreadsheet, CSV, JSON or JSON Lines."),
    labelled("or a file", file),
    el("button", { type: "submit", class: "main" }, "Convert"),
    answer,
  );
}
