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
  runParse,
  FinishedParse,
  type ParseBounds,
  type ParseMode,
} from './bounded-parse.ts';
import type { LanguageName } from './languages.ts';

type Ranges = readonly { readonly from: number; readonly to: number }[];

/** The cost limit of a change: a millisecond or two for mostly valid text. */
const changeCost = 500;

/** The cost limit of a guess: enough for a screen of short tokens. */
const guessCost = 3000;

/** Code units beyond the known tree that a change parses when steps have no fixed size. */
const unitsPerChange = 8192;

/** A parser that works in slices of similar size, however large the text is. */
export class BoundedParser extends Parser {
  readonly #parser: Parser;
  /** True when each step parses one token; elsewhere a step is a block or a nested language. */
  readonly #hasEvenSteps: boolean;
  /** The node of a text that is not parsed, so that the text still belongs to its language. */
  readonly #placeholderType: NodeType;
  readonly #reads: (doc: Text) => boolean;
  #pace: ParseMode = 'change';
  #last: BoundedParse | undefined;
  #guess: { readonly text: string; readonly tree: Tree } | undefined;

  /** The language, when its grammar reports errors. */
  readonly grammar: LanguageName | undefined;

  /** Creates a parser for a language. `reads` returns whether a text is parsed at all. */
  constructor(name: LanguageName, sourceLanguage: Language, reads: (doc: Text) => boolean) {
    super();
    this.grammar = sourceLanguage instanceof LRLanguage ? name : undefined;
    this.#parser = sourceLanguage.parser;
    this.#reads = reads;
    this.#placeholderType = NodeType.define({
      id: 0,
      name: 'Unread',
      top: true,
      props: [[languageDataProp, sourceLanguage.data]],
    });
    this.#hasEvenSteps = sourceLanguage instanceof LRLanguage && !sourceLanguage.allowsNesting;
  }

  /** Returns true when a text is parsed. */
  canParse(doc: Text): boolean {
    return this.#reads(doc);
  }

  /** Runs work that parses at the given pace. */
  runInMode(pace: ParseMode, work: () => void): void {
    this.#pace = pace;
    try {
      work();
    } finally {
      this.#pace = 'change';
    }
  }

  /** The position that the current parse has reached. */
  get reached(): number {
    return this.#last?.parsedPos ?? 0;
  }

  /**
   * Parses part of a text on its own, up to a cost limit, to guess its tokens in the whole text.
   */
  parseExcerpt(text: string): Tree {
    if (this.#guess?.text !== text) {
      const parse = this.#bounded(this.#parser.startParse(text), {
        mode: () => 'change',
        costLimit: guessCost,
        stopAt: unitsPerChange,
        end: text.length,
      });
      this.#guess = { text, tree: runParse(parse) };
    }
    return this.#guess.tree;
  }

  override createParse(
    input: Input,
    fragments: readonly TreeFragment[],
    ranges: Ranges,
  ): PartialParse {
    const [reusable] = fragments;
    const isReusable = reusable !== undefined && reusable.from === 0 && reusable.offset === 0;
    if (this.#pace === 'reuse' && isReusable) return new FinishedParse(reusable.tree, input.length);
    const isParsed = !(input instanceof DocInput) || this.#reads(input.doc);
    if (!isParsed) return new FinishedParse(this.#placeholderTree(input.length));
    const parse = this.#parser.createParse(input, fragments, ranges);
    const goal = (isReusable ? reusable.to : 0) + unitsPerChange;
    this.#last = this.#bounded(parse, {
      mode: () => this.#pace,
      costLimit: changeCost,
      stopAt: this.#hasEvenSteps || this.#pace === 'slice' ? input.length : goal,
      end: input.length,
    });
    return this.#last;
  }

  #bounded(parse: PartialParse, bounds: Omit<ParseBounds, 'unread' | 'costOf'>): BoundedParse {
    return new BoundedParse(parse, {
      ...bounds,
      unread: this.#placeholderTree(bounds.end),
      costOf: this.#hasEvenSteps ? () => 1 : (units) => 1 + (units >> 3),
    });
  }

  #placeholderTree(length: number): Tree {
    return new Tree(this.#placeholderType, [], [], length);
  }
}

/** Returns the parser of a state's language; undefined without a language. */
export function parserOf(state: EditorState): BoundedParser | undefined {
  const parser = state.facet(language)?.parser;
  return parser instanceof BoundedParser ? parser : undefined;
}
