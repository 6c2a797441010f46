// Starts `evalmark lsp` and connects VS Code to it; everything else is done by the server.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import * as vscode from "vscode";
import { LanguageClient, type ServerOptions } from "vscode-languageclient/node";

const run = promisify(execFile);
const INSTALL = "pip install 'evalmark[lsp]'";

/** The part of the API of the Python extension that names the chosen interpreter. */
interface PythonApi {
  environments: {
    getActiveEnvironmentPath(resource?: vscode.Uri): { path: string };
    onDidChangeActiveEnvironmentPath: vscode.Event<unknown>;
  };
}

/** A program and its first arguments. */
interface Program {
  command: string;
  args: string[];
}

let client: LanguageClient | undefined;
let program: Program | undefined;

async function pythonApi(): Promise<PythonApi | undefined> {
  const extension = vscode.extensions.getExtension<PythonApi>("ms-python.python");
  return extension && (extension.isActive ? extension.exports : await extension.activate());
}

/** The ways to start evalmark, the preferred one first. An interpreter may lie in the folder. */
async function candidates(): Promise<Program[]> {
  const path = vscode.workspace.getConfiguration("evalmark").get<string>("path");
  if (path) return [{ command: path, args: [] }];
  const found: Program[] = [];
  if (vscode.workspace.isTrusted) {
    const resource = vscode.workspace.workspaceFolders?.[0]?.uri;
    const python = (await pythonApi())?.environments.getActiveEnvironmentPath(resource).path;
    if (python) found.push({ command: python, args: ["-P", "-m", "evalmark"] });
  }
  return [...found, { command: "evalmark", args: [] }];
}

async function usable(): Promise<Program | undefined> {
  for (const candidate of await candidates()) {
    try {
      await run(candidate.command, [...candidate.args, "lsp", "--help"], { timeout: 30_000 });
      return candidate;
    } catch {
      // Not installed there, or too old to have a language server: the next one may be usable.
    }
  }
  return undefined;
}

async function sayHowToInstall(): Promise<void> {
  const copy = "Copy the command";
  const message = `evalmark is not in the chosen interpreter, nor on the PATH: ${INSTALL}`;
  if ((await vscode.window.showWarningMessage(message, copy)) === copy) {
    await vscode.env.clipboard.writeText(INSTALL);
  }
}

async function start(): Promise<void> {
  await stop();
  program = await usable();
  if (!program) {
    void sayHowToInstall();
    return;
  }
  const server: ServerOptions = { command: program.command, args: [...program.args, "lsp"] };
  const documentSelector = ["json", "jsonl", "yaml"].flatMap((language) => [
    { scheme: "file", language },
    { scheme: "untitled", language },
  ]);
  client = new LanguageClient("evalmark", "evalmark", server, { documentSelector });
  await client.start();
}

async function stop(): Promise<void> {
  const running = client;
  client = undefined;
  await running?.dispose();
}

/** Score a suite in a terminal, with a model that the user names. */
async function score(file?: string): Promise<void> {
  const suite = file ?? vscode.window.activeTextEditor?.document.fileName;
  const model = suite && (await vscode.window.showInputBox({
    prompt: "Model: a name on the Hugging Face hub, or a folder", value: "gpt2",
  }));
  if (!suite || !model || !program) return;
  const args = [...program.args, "score", suite, "--model", model];
  const execution = new vscode.ProcessExecution(program.command, args);
  const scope = vscode.workspace.workspaceFolders?.[0] ?? vscode.TaskScope.Global;
  const task = new vscode.Task({ type: "evalmark" }, scope, "score", "evalmark", execution);
  await vscode.tasks.executeTask(task);
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.commands.registerCommand("evalmark.restart", start),
    vscode.commands.registerCommand("evalmark.score", score),
    vscode.workspace.onDidGrantWorkspaceTrust(start),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("evalmark.path")) void start();
    }),
  );
  const python = await pythonApi();
  if (python) {
    context.subscriptions.push(python.environments.onDidChangeActiveEnvironmentPath(start));
  }
  await start();
}

export function deactivate(): Promise<void> {
  return stop();
}
