// A new suite: from a template, or from text that evalmark can read (rows, tables, pairs, old suites).
import { button, el, fill, labelled, withCode } from "./dom.js";
import { EngineError } from "./engine.js";
import { what } from "./help.js";
import { CHARACTERS, normalName } from "./suite/names.js";
import { TEMPLATES, exampleFor, formulasFor, listed, newSuiteOf } from "./suite/templates.js";
import { base64, isSpreadsheet, makeSuite } from "./table_dialog.js";
/** @import {Engine} from "./engine.js" */
/** @import {Begin} from "./table_dialog.js" */
/** @import {Suite} from "./suite/types.js" */

/** @param {Engine} engine @param {Begin} begin */
export function newSuite(engine, begin) {
  return el(
    "section",
    { "aria-labelledby": "new-suite" },
    el("h2", { id: "new-suite", tabindex: "-1" }, "New suite"),
    el("div", { class: "two" }, fromTemplate(begin), fromText(engine, begin)),
  );
}

/** A field with the "?" that explains its word. @param {import("./help.js").Word} word @param {HTMLElement} field */
const explained = (word, field) => el("div", { class: "explained" }, field, what(word));

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
    labelled("template", template, "All but Empty fill in what follows, a prediction, and one item to write over."),
    labelled("name", name),
    explained("condition", labelled("conditions", conditions, "With commas between them.")),
    explained("region", labelled("regions", regions, "With commas between them.")),
    explained("item", labelled("items", items)),
    el("button", { type: "submit", class: "main" }, "Begin"),
  );
  return form;
}

/** @param {Engine} engine @param {Begin} begin */
function fromText(engine, begin) {
  const text = el("textarea", {
    rows: 7,
    spellcheck: "false",
    required: true,
    placeholder: "item\tcondition\tSubject\tVerb\n1\tmatch\tThe author\tlaughs",
  });
  const accept = ".csv,.tsv,.xlsx,.ods,.json,.jsonl,.yaml,.yml,.txt,.js";
  const file = el("input", { type: "file", accept });
  const name = el("input", { type: "text", value: "my_suite", autocomplete: "off", required: true });
  const answer = el("div", { role: "status" });
  // The ending of a chosen file's name, and its content if that is not text.
  let ending = "";
  /** @type {string | undefined} */
  let content;
  file.addEventListener("change", async () => {
    const [one] = file.files ?? [];
    if (!one) return;
    const isText = !isSpreadsheet(one);
    text.value = isText ? await one.text() : "";
    text.required = isText;
    content = isText ? undefined : await base64(one);
    [name.value, ending] = one.name.split(/(?=\.\w+$)/);
  });
  text.addEventListener("input", () => {
    content = undefined;
    ending = "";
    text.required = true;
  });
  /** @param {Record<string, string>} choices */
  const convert = async (choices) => {
    fill(answer, "…");
    const source = { name: name.value.replaceAll(".", "_") + ending, ...(content === undefined ? { text: text.value } : { content }) };
    try {
      const failed = await makeSuite(engine, source, begin, choices);
      if (!failed) return fill(answer);
      const { refused = "", needs, choices: known = [] } = failed;
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
    el("h3", {}, "From any table"),
    labelled(
      "text",
      text,
      "Paste rows of a spreadsheet with the names of their columns, CSV, JSON, or a script of PCIbex.",
    ),
    labelled("or a file", file),
    labelled("suite name", name),
    el("button", { type: "submit", class: "main" }, "Convert"),
    answer,
  );
}
