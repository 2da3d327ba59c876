import { ensureSyntaxTree, indentUnit, Language, syntaxTree } from '@codemirror/language';
import { Compartment, EditorState, type Extension, type TransactionSpec } from '@codemirror/state';
import { BoundedParser, parserOf } from './bounded-parser.ts';
import { canHighlight } from './highlight-limit.ts';
import type { LoadedLanguage } from './language-loader.ts';

/** Code units that a slice must add before the state takes over its tree. */
const minGrowth = 4096;

/** Milliseconds that never elapse: the parse is bounded by its steps instead. */
const unlimitedTime = 60_000;

/** The compartment of an editor's state that holds the language of its text. */
export class LanguageCompartment {
  readonly #compartment = new Compartment();

  /** The compartment without a language, for a new state's extensions. */
  get extension(): Extension {
    return this.#compartment.of([]);
  }

  /**
   * Returns a transaction that sets or removes the language. It adds nothing to the undo history.
   */
  reconfigure(loaded: LoadedLanguage | undefined): TransactionSpec {
    const content = loaded === undefined ? [] : languageExtension(loaded);
    return { effects: this.#compartment.reconfigure(content) };
  }
}

/** Returns true when a state's text is parsed in a language. */
export function hasParser(state: EditorState): boolean {
  return parserOf(state)?.canParse(state.doc) === true;
}

/** Returns true when the whole text is parsed, or has no language. */
export function isFullyParsed(state: EditorState): boolean {
  return parserOf(state) === undefined || treeEnd(state) >= state.doc.length;
}

/**
 * Parses one more slice of the text. The resulting tree stays outside the state until it has grown
 * enough; then `dispatch` must send an empty transaction, with which the state takes it over.
 */
export function parseSlice(state: EditorState, dispatch: () => void): void {
  const parser = parserOf(state);
  if (parser === undefined) return;
  const { length } = state.doc;
  let isDone = false;
  // A negative timeout stops the parse at CodeMirror's first look at the clock.
  parser.runInMode('slice', () => (isDone = ensureSyntaxTree(state, length, -1) !== null));
  if (!isDone && parser.reached < treeEnd(state) * 2 + minGrowth) return;
  if (!isDone) parser.runInMode('collect', () => ensureSyntaxTree(state, length, unlimitedTime));
  parser.runInMode('reuse', dispatch);
}

/** Returns the position up to which the text is parsed. */
function treeEnd(state: EditorState): number {
  return syntaxTree(state).length;
}

function languageExtension({
  name,
  language,
  support,
  indentUnit: indent,
  languageData: data,
}: LoadedLanguage): Extension {
  const parser = new BoundedParser(name, language, (doc) => canHighlight(doc, name));
  const languageData = [data];
  return [
    indentUnit.of(indent),
    EditorState.languageData.of(() => languageData),
    new Language(language.data, parser, [], language.name),
    support,
  ];
}
