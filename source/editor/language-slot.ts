import { ensureSyntaxTree, indentUnit, Language, syntaxTree } from '@codemirror/language';
import { Compartment, EditorState, type Extension, type TransactionSpec } from '@codemirror/state';
import { BoundedParser, parserOf } from './bounded-parser.ts';
import { isReadable } from './highlight-limit.ts';
import type { LoadedLanguage } from './language-loader.ts';

/** Code units that are worth to be taken, at the least. */
const fewUnits = 4096;

/** Longer than it takes; what is done is bounded by its steps. */
const noHurry = 60_000;

/** The place in an editor's state for the language of its text. */
export class LanguageSlot {
  readonly #compartment = new Compartment();

  /** The empty slot, to be among a state's extensions. */
  get extension(): Extension {
    return this.#compartment.of([]);
  }

  /** Puts a language in, or takes the one in it out. Nothing to undo comes of it. */
  filled(loaded: LoadedLanguage | undefined): TransactionSpec {
    const content = loaded === undefined ? [] : languageExtension(loaded);
    return { effects: this.#compartment.reconfigure(content) };
  }
}

/** Whether a state has a language in which its text is parsed. */
export function isParsing(state: EditorState): boolean {
  return parserOf(state)?.reads(state.doc) === true;
}

/** Whether the whole text was parsed, or is not to be. */
export function isParsed(state: EditorState): boolean {
  return parserOf(state) === undefined || treeEnd(state) >= state.doc.length;
}

/**
 * Parses the text a slice further. What was found stays beside the state until there is enough of
 * it; then the state takes it in an empty transaction, for which `dispatch` is called.
 */
export function parseSlice(state: EditorState, dispatch: () => void): void {
  const parser = parserOf(state);
  if (parser === undefined) return;
  const { length } = state.doc;
  let isDone = false;
  // Without time, that is: with the first look at the clock, it stops.
  parser.at('slice', () => (isDone = ensureSyntaxTree(state, length, -1) !== null));
  if (!isDone && parser.reached < treeEnd(state) * 2 + fewUnits) return;
  if (!isDone) parser.at('take', () => ensureSyntaxTree(state, length, noHurry));
  parser.at('keep', dispatch);
}

/** How far the text was parsed. */
function treeEnd(state: EditorState): number {
  return syntaxTree(state).length;
}

function languageExtension({ name, language, support, indent, data }: LoadedLanguage): Extension {
  const parser = new BoundedParser(name, language, (doc) => isReadable(doc, name));
  const languageData = [data];
  return [
    indentUnit.of(indent),
    EditorState.languageData.of(() => languageData),
    new Language(language.data, parser, [], language.name),
    support,
  ];
}
