// A new suite: from a template, or from text that evalmark can read (rows, tables, pairs, old suites).
import { button, el, fill, labelled, withCode } from "./dom.js";
import { EngineError } from "./engine.js";
import { what } from "./help.js";
import { CHARACTERS, normalName } from "./suite/names.js";
import { TEMPLATES, exampleFor, formulasFor, listed, newSuiteOf } from "./suite/templates.js";
import { askColumns } from "./table_dialog.js";
/** @import {Engine, TableSource} from "./engine.js" */
/** @import {Begin} from "./table_dialog.js" */
/** @import {Suite} from "./suite/types.js" */

/** @param {Engine} engine @param {Begin} begin */
export function newSuite(engine, begin) {
  return el(
    "section",
    { "aria-labelledby": "new-title" },
    el("h2", { id: "new-title" }, "New suite"),
    el("div", { class: "two" }, fromTemplate(begin), fromText(engine, begin)),
  );
}

/** A field with the sentence on its word beside it. @param {import("./help.js").Word} word @param {HTMLElement} field */
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
    labelled("template", template, "It fills in what follows, a prediction, and one item to write over."),
    labelled("name", name),
    explained("condition", labelled("conditions", conditions, "With commas between them.")),
    explained("region", labelled("regions", regions, "With commas between them.")),
    explained("item", labelled("items", items)),
    el("button", { type: "submit", class: "main" }, "Begin"),
  );
  return form;
}

/** The bytes of a file in Base64. @param {File} file @returns {Promise<string>} */
const base64 = (file) =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result).split(",", 2)[1] ?? "");
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });

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
  const answer = el("div", { role: "status" });
  /** @type {TableSource} */
  let chosen = { name: "" };
  file.addEventListener("change", async () => {
    const [one] = file.files ?? [];
    if (!one) return;
    const isText = !/\.(xlsx|ods)$/i.test(one.name);
    text.value = isText ? await one.text() : "";
    text.required = isText;
    chosen = isText ? { name: one.name } : { name: one.name, content: await base64(one) };
  });
  text.addEventListener("input", () => {
    chosen = { name: "" };
    text.required = true;
  });
  /** @param {Record<string, string>} choices */
  const convert = async (choices) => {
    fill(answer, "…");
    const source = chosen.content === undefined ? { ...chosen, text: text.value } : chosen;
    try {
      const { data, notes, refused = "", needs, choices: known = [], table } = await engine.convert(source, choices);
      if (table) {
        fill(answer);
        return void (await askColumns(engine, source, table, begin));
      }
      if (data) return begin(data, notes ?? []);
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
    el("h3", {}, "From any table or list of sentences"),
    labelled(
      "text",
      text,
      "Paste rows of a spreadsheet, CSV, JSON, a script of PCIbex, or one sentence a line.",
    ),
    labelled("or a file", file),
    el("button", { type: "submit", class: "main" }, "Convert"),
    answer,
  );
}
