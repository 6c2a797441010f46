// The types of what the page uses of CodeMirror (https://codemirror.net/docs/ref/ has them all).

export type Extension = { extension: Extension } | readonly Extension[];
interface Facet<Input> {
  of(value: Input): Extension;
  compute(dependencies: readonly unknown[], get: (state: EditorState) => Input): Extension;
}
interface Effect {
  readonly value: unknown;
}

/** Lines of a text, whose positions count each line end as one. */
interface Text {
  readonly length: number;
  readonly lines: number;
  line(number: number): Line;
  lineAt(position: number): Line;
  toString(): string;
}
interface Line {
  readonly from: number;
  readonly to: number;
  readonly number: number;
}

interface Change {
  from: number;
  to?: number;
  insert?: string | Text;
}
interface TransactionSpec {
  changes?: Change;
  selection?: { anchor: number; head?: number };
  effects?: Effect | readonly Effect[];
  annotations?: unknown;
  scrollIntoView?: boolean;
  userEvent?: string;
}
interface Transaction extends TransactionSpec {
  readonly startState: EditorState;
  readonly state: EditorState;
  readonly docChanged: boolean;
  annotation<T>(type: AnnotationType<T>): T | undefined;
}
interface AnnotationType<T> {
  of(value: T): unknown;
}
export class Annotation {
  static define<T>(): AnnotationType<T>;
}
export class Compartment {
  of(content: Extension): Extension;
  reconfigure(content: Extension): Effect;
}

export class EditorState {
  readonly doc: Text;
  readonly lineBreak: string;
  readonly selection: { main: { anchor: number; head: number; from: number; to: number } };
  static create(config: { doc: string; extensions: Extension }): EditorState;
  static lineSeparator: Facet<string>;
  sliceDoc(from?: number, to?: number): string;
}

interface ViewUpdate {
  readonly startState: EditorState;
  readonly state: EditorState;
  readonly docChanged: boolean;
  readonly selectionSet: boolean;
  readonly transactions: readonly Transaction[];
}
type Attributes = Record<string, string>;
export class EditorView {
  constructor(config: { state: EditorState });
  readonly state: EditorState;
  readonly dom: HTMLElement;
  readonly contentDOM: HTMLElement;
  readonly viewport: { from: number; to: number };
  posAtDOM(node: Node, offset?: number): number;
  dispatch(spec: TransactionSpec): void;
  focus(): void;
  destroy(): void;
  static contentAttributes: Facet<Attributes | ((view: EditorView) => Attributes)>;
  static editorAttributes: Facet<Attributes>;
  static decorations: Facet<DecorationSet | ((view: EditorView) => DecorationSet)>;
  static bidiIsolatedRanges: Facet<DecorationSet | ((view: EditorView) => DecorationSet)>;
  static updateListener: Facet<(update: ViewUpdate) => void>;
  static clipboardInputFilter: Facet<(text: string, state: EditorState) => string>;
  static domEventHandlers(handlers: Record<string, (event: Event, view: EditorView) => boolean | void>): Extension;
  static scrollIntoView(position: number, options?: { y?: "nearest" | "center" }): Effect;
  static lineWrapping: Extension;
}
interface DecorationSet {
  readonly size: number;
}
interface PlacedDecoration {
  readonly from: number;
  readonly to: number;
}
export class Decoration {
  static mark(spec: { class?: string; attributes?: Attributes; bidiIsolate?: null }): Decoration;
  static set(of: readonly PlacedDecoration[], sort?: boolean): DecorationSet;
  range(from: number, to: number): PlacedDecoration;
}

export type Command = (view: EditorView) => boolean;
interface KeyBinding {
  key: string;
  run: Command;
  shift?: Command;
}
export const keymap: Facet<readonly KeyBinding[]>;
export const defaultKeymap: readonly KeyBinding[];
export const standardKeymap: readonly KeyBinding[];
export const historyKeymap: readonly KeyBinding[];
export const foldKeymap: readonly KeyBinding[];
export const searchKeymap: readonly KeyBinding[];

export function history(): Extension;
export const undo: Command;
export function undoDepth(state: EditorState): number;
export const isolateHistory: AnnotationType<"before" | "after" | "full">;
export const invertedEffects: Facet<(transaction: Transaction) => readonly Effect[]>;

interface Completion {
  label: string;
  apply: string;
}
export interface CompletionContext {
  readonly state: EditorState;
  readonly pos: number;
  readonly explicit: boolean;
}
export interface CompletionResult {
  from: number;
  to: number;
  options: readonly Completion[];
  filter: boolean;
  update: (
    current: CompletionResult,
    from: number,
    to: number,
    context: CompletionContext,
  ) => CompletionResult | null;
}
export function autocompletion(config: {
  override: readonly ((context: CompletionContext) => CompletionResult | null)[];
  activateOnTypingDelay: number;
  activateOnCompletion: () => boolean;
  interactionDelay: number;
  icons: boolean;
}): Extension;
export const acceptCompletion: Command;

export interface Diagnostic {
  from: number;
  to: number;
  severity: "error" | "warning" | "info" | "hint";
  message: string;
  markClass?: string;
  renderMessage?: () => Node;
  actions?: readonly { name: string; apply: () => void }[];
}
export function setDiagnostics(state: EditorState, diagnostics: readonly Diagnostic[]): TransactionSpec;
export function lintGutter(): Extension;
export const nextDiagnostic: Command;
export const previousDiagnostic: Command;

interface Language {
  readonly extension: Extension;
}
export const jsonLanguage: Language;
export const yamlLanguage: Language;
export const tags: Record<"propertyName" | "number" | "bool" | "null" | "comment" | "content", unknown>;
export class HighlightStyle {
  static define(specs: readonly { tag: unknown; class: string }[]): HighlightStyle;
}
export function syntaxHighlighting(style: HighlightStyle): Extension;
export function bidiIsolates(): Extension;
export function bracketMatching(config: { brackets: string }): Extension;
export function foldGutter(): Extension;
export const openSearchPanel: Command;
export function search(config: { top: boolean }): Extension;

export function lineNumbers(): Extension;
export function highlightActiveLine(): Extension;
export function highlightActiveLineGutter(): Extension;
export function highlightSpecialChars(): Extension;
export function placeholder(text: string): Extension;
