// Bundles what entry.js names into apps/workbench/page/codemirror/codemirror.js, with the licences of its parts.
// `make codemirror` installs what package-lock.json pins and runs this; the same input gives the same bytes.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const INPUTS = ["build.mjs", "entry.js", "package-lock.json"];
const [out] = process.argv.slice(2);

/** Styles are adopted by the document: the policy of the page refuses elements with styles. */
const adoptedStyles = {
  name: "adopted-styles",
  setup({ onLoad }) {
    onLoad({ filter: /style-mod\.js$/ }, ({ path }) => {
      const [before, after] = ["!root.head && root.adoptedStyleSheets", "root.adoptedStyleSheets"];
      const text = readFileSync(path, "utf-8");
      if (text.split(before).length !== 2) throw new Error(`${path} has changed: ${before}`);
      return { contents: text.replace(before, after) };
    });
  },
};

/** Name, version and licence of the packages that are in the bundle. @param {string[]} files */
function licences(files) {
  const names = new Set(files.map((file) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1]).filter(Boolean));
  /** @type {Map<string, string[]>} */
  const byText = new Map();
  for (const name of [...names].sort()) {
    const folder = `node_modules/${name}`;
    const { version, license } = JSON.parse(readFileSync(`${folder}/package.json`, "utf-8"));
    if (license !== "MIT") throw new Error(`${name} has another licence: ${license}`);
    const [, copyright, text] = /(Copyright[^\n]*)\n([^]*)/.exec(readFileSync(`${folder}/LICENSE`, "utf-8"));
    const normal = text.replace(/\s+/g, " ").trim();
    byText.set(normal, [...(byText.get(normal) ?? []), `${name} ${version}: ${copyright}`]);
  }
  return [...byText].map(([text, lines]) => `${lines.join("\n")}\n\n${text}`).join("\n\n");
}

const digest = createHash("sha256");
for (const name of INPUTS) digest.update(readFileSync(name));
const { outputFiles, metafile } = await build({
  entryPoints: ["entry.js"],
  bundle: true,
  minify: true,
  format: "esm",
  target: "es2022",
  charset: "utf8",
  legalComments: "none",
  metafile: true,
  write: false,
  outfile: "codemirror.js",
  plugins: [adoptedStyles],
});
const header = `CodeMirror for the page of evalmark, built by scripts/codemirror; do not edit.\nInputs: sha256 ${digest.digest("hex")}`;
writeFileSync(out, `/*! ${header}\n\n${licences(Object.keys(metafile.inputs))}\n*/\n${outputFiles[0].text}`);
