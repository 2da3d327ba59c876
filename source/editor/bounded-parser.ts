import {
  DocInput,
  language,
  languageDataProp,
  LRLanguage,
  type Language,
} from '@codemirror/language';
import type { EditorState, Text } from '@codemirror/state';
import {
  NodeType,
  Parser,
  Tree,
  type Input,
  type PartialParse,
  type TreeFragment,
} from '@lezer/common';
import {
  BoundedParse,
  finished,
  FinishedParse,
  type Bounds,
  type ParsePace,
} from './bounded-parse.ts';
import type { LanguageName } from './languages.ts';

type Ranges = readonly { readonly from: number; readonly to: number }[];

/** What a change does: a millisecond or two, where the text is not all wrong. */
const costOfChange = 500;

/** What a guess does: enough for a screen full of short words. */
const costOfGuess = 3000;

/** Code units behind what is known that a change reads where steps are not of one size. */
const unitsAtOnce = 8192;

/** Parses a text in slices of like size, however large it is. */
export class BoundedParser extends Parser {
  readonly #parser: Parser;
  /** Whether a step is a word. It is a block of text in others, or a whole nested language. */
  readonly #hasEvenSteps: boolean;
  /** Stands for the whole text where it is not parsed, so that it is still of the language. */
  readonly #unread: NodeType;
  readonly #reads: (doc: Text) => boolean;
  #pace: ParsePace = 'change';
  #last: BoundedParse | undefined;
  #guess: { readonly text: string; readonly tree: Tree } | undefined;

  /** The language, where it has a grammar that tells what is wrong. */
  readonly grammar: LanguageName | undefined;

  /** `reads` says whether a text is to be parsed at all. */
  constructor(name: LanguageName, spoken: Language, reads: (doc: Text) => boolean) {
    super();
    this.grammar = spoken instanceof LRLanguage ? name : undefined;
    this.#parser = spoken.parser;
    this.#reads = reads;
    this.#unread = NodeType.define({
      id: 0,
      name: 'Unread',
      top: true,
      props: [[languageDataProp, spoken.data]],
    });
    this.#hasEvenSteps = spoken instanceof LRLanguage && !spoken.allowsNesting;
  }

  /** Whether a text is parsed. */
  reads(doc: Text): boolean {
    return this.#reads(doc);
  }

  /** Does what parses, at a pace. */
  at(pace: ParsePace, work: () => void): void {
    this.#pace = pace;
    try {
      work();
    } finally {
      this.#pace = 'change';
    }
  }

  /** Where the parse is that goes on at the next slice. */
  get reached(): number {
    return this.#last?.parsedPos ?? 0;
  }

  /** A part of a text by itself, as far as is done at once: a guess at what it is in the whole. */
  guess(text: string): Tree {
    if (this.#guess?.text !== text) {
      const parse = this.#bounded(this.#parser.startParse(text), {
        pace: () => 'change',
        cost: costOfGuess,
        goal: unitsAtOnce,
        end: text.length,
      });
      this.#guess = { text, tree: finished(parse) };
    }
    return this.#guess.tree;
  }

  override createParse(
    input: Input,
    fragments: readonly TreeFragment[],
    ranges: Ranges,
  ): PartialParse {
    const [known] = fragments;
    const isKnown = known !== undefined && known.from === 0 && known.offset === 0;
    if (this.#pace === 'keep' && isKnown) return new FinishedParse(known.tree, input.length);
    const isRead = !(input instanceof DocInput) || this.#reads(input.doc);
    if (!isRead) return new FinishedParse(this.#blank(input.length));
    const parse = this.#parser.createParse(input, fragments, ranges);
    const goal = (isKnown ? known.to : 0) + unitsAtOnce;
    this.#last = this.#bounded(parse, {
      pace: () => this.#pace,
      cost: costOfChange,
      goal: this.#hasEvenSteps || this.#pace === 'slice' ? input.length : goal,
      end: input.length,
    });
    return this.#last;
  }

  #bounded(parse: PartialParse, bounds: Omit<Bounds, 'unread' | 'costOf'>): BoundedParse {
    return new BoundedParse(parse, {
      ...bounds,
      unread: this.#blank(bounds.end),
      costOf: this.#hasEvenSteps ? () => 1 : (units) => 1 + (units >> 3),
    });
  }

  #blank(length: number): Tree {
    return new Tree(this.#unread, [], [], length);
  }
}

/** What parses a state's text; undefined where it has no language. */
export function parserOf(state: EditorState): BoundedParser | undefined {
  const parser = state.facet(language)?.parser;
  return parser instanceof BoundedParser ? parser : undefined;
}
