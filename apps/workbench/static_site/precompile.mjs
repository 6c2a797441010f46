// Compiles the modules that the first check of the page imports: `node precompile.mjs PYODIDE FOLDER`.
// FOLDER has archive.zip and suite.json; first_archive.zip and first_stdlib.zip are written there.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [package_, folder] = process.argv.slice(2);
const read = (path) => new Uint8Array(readFileSync(path));
const { loadPyodide } = await import(pathToFileURL(`${package_}/pyodide.mjs`).href);
const python = await loadPyodide();
const archive = read(`${folder}/archive.zip`);
python.unpackArchive(archive, "zip", { extractDir: "/lib/evalmark" });
python.FS.writeFile("/archive.zip", archive);
python.FS.writeFile("/suite.json", read(`${folder}/suite.json`));
python.runPython(`
import json, os, sys
sys.path.insert(0, "/lib/evalmark")
sys.dont_write_bytecode = True
from evalmark.workbench.static_site.in_browser import BrowserAnswers

os.mkdir("/files")
answers = BrowserAnswers("/files")
suite = json.load(open("/suite.json"))
formula = {"formula": suite["predictions"][0]["formula"], "names": suite["region_meta"]}
formula |= {"conditions": [one["condition_name"] for one in suite["items"][0]["conditions"]], "regions": len(suite["region_meta"])}
for route, body in (("folder", None), ("formula", json.dumps(formula)), ("check", json.dumps({"data": suite}))):
    found = answers.answer(route, body)
    assert json.loads(found)["status"] == 200, found
imported = {getattr(module, "__file__", None) for module in sys.modules.values()}

from importlib._bootstrap_external import _code_to_hash_pyc
from importlib.util import source_hash
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

def compile_imported(path, place, result):
    """An archive of the imported modules of another one, compiled, and of what is not Python."""
    with ZipFile(path) as source, ZipFile(result, "w", ZIP_DEFLATED, compresslevel=9) as target:
        for name in sorted(source.namelist()):
            raw = source.read(name)
            if f"{place}/{name}" in imported:
                code = compile(raw, f"{place}/{name}", "exec", dont_inherit=True, optimize=0)
                raw, name = _code_to_hash_pyc(code, source_hash(raw), checked=False), f"{name}c"
            if not name.endswith(".py"):
                entry = ZipInfo(name, (1980, 1, 1, 0, 0, 0))
                entry.compress_type = ZIP_DEFLATED
                target.writestr(entry, bytes(raw))

library = next(path for path in sys.path if path.endswith(".zip"))
compile_imported("/archive.zip", "/lib/evalmark", "/first_archive.zip")
compile_imported(library, library, "/first_stdlib.zip")
`);
for (const name of ["first_archive.zip", "first_stdlib.zip"]) writeFileSync(`${folder}/${name}`, python.FS.readFile(`/${name}`));
