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
import type { LanguageName } from './languages.ts';

type Ranges = readonly { readonly from: number; readonly to: number }[];

/**
 * What a parse does when it is asked to go on: `change`, a step with which a tree is found at
 * once, of what was known and a little more; `slice`, a step alone; `take`, a tree of all that was
 * found; `keep`, nothing but to give the tree that was taken last.
 */
type Pace = 'change' | 'slice' | 'take' | 'keep';

/** What is done at once: a few milliseconds of work, also on a slow machine. */
const costAtOnce = 1000;

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
  #pace: Pace = 'change';
  #last: BoundedParse | undefined;

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
  at(pace: Pace, work: () => void): void {
    this.#pace = pace;
    work();
    this.#pace = 'change';
  }

  /** Where the parse is that goes on at the next slice. */
  get reached(): number {
    return this.#last?.parsedPos ?? 0;
  }

  /** A part of a text by itself, as far as is done at once: a guess at what it is in the whole. */
  guess(text: string): Tree {
    const parse = this.#parser.startParse(text);
    return (
      this.#bounded(parse, {
        pace: () => 'change',
        goal: unitsAtOnce,
        end: text.length,
      }).advance() ?? Tree.empty
    );
  }

  override createParse(
    input: Input,
    fragments: readonly TreeFragment[],
    ranges: Ranges,
  ): PartialParse {
    const [known] = fragments;
    const isKnown = known !== undefined && known.from === 0 && known.offset === 0;
    if (this.#pace === 'keep' && isKnown) return new Found(known.tree, input.length);
    if (input instanceof DocInput && !this.#reads(input.doc))
      return new Found(this.#blank(input.length));
    const parse = this.#parser.createParse(input, fragments, ranges);
    const goal = (isKnown ? known.to : 0) + unitsAtOnce;
    this.#last = this.#bounded(parse, {
      pace: () => this.#pace,
      goal: this.#hasEvenSteps || this.#pace === 'slice' ? input.length : goal,
      end: input.length,
    });
    return this.#last;
  }

  #bounded(parse: PartialParse, bounds: Pick<Bounds, 'pace' | 'goal' | 'end'>): BoundedParse {
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

interface Bounds {
  readonly pace: () => Pace;
  /** Where to stop at the latest. */
  readonly goal: number;
  readonly end: number;
  /** The tree of a text that is nested too deep. */
  readonly unread: Tree;
  readonly costOf: (units: number) => number;
}

class BoundedParse implements PartialParse {
  readonly #parse: PartialParse;
  readonly #bounds: Bounds;
  #asked: number | null = null;

  constructor(parse: PartialParse, bounds: Bounds) {
    this.#parse = parse;
    this.#bounds = bounds;
    if (bounds.goal < bounds.end) parse.stopAt(bounds.goal);
  }

  get parsedPos(): number {
    return this.#parse.parsedPos;
  }

  /**
   * Not where it really stops: its tree is to be taken as it is, neither as a whole one nor as a
   * reason to go on at once.
   */
  get stoppedAt(): number | null {
    return this.#parse.stoppedAt === null ? null : (this.#asked ?? this.#bounds.end);
  }

  stopAt(position: number): void {
    this.#asked = position;
    this.#stop(position);
  }

  advance(): Tree | null {
    try {
      const pace = this.#bounds.pace();
      const found = pace === 'take' ? null : this.#step();
      if (found !== null || pace === 'slice') return found;
      this.#stop(this.#parse.parsedPos);
      for (;;) {
        const tree = this.#parse.advance();
        if (tree !== null) return tree;
      }
    } catch (error) {
      // Some texts are nested deeper than the stack.
      if (error instanceof RangeError) return this.#bounds.unread;
      throw error;
    }
  }

  #step(): Tree | null {
    for (let cost = 0; cost < costAtOnce; ) {
      const before = this.#parse.parsedPos;
      const tree = this.#parse.advance();
      if (tree !== null) return tree;
      cost += this.#bounds.costOf(Math.max(0, this.#parse.parsedPos - before));
    }
    return null;
  }

  #stop(position: number): void {
    const { stoppedAt } = this.#parse;
    if (stoppedAt === null || position < stoppedAt) this.#parse.stopAt(position);
  }
}

/** A parse that is done. */
class Found implements PartialParse {
  readonly #tree: Tree;
  readonly parsedPos: number;
  readonly stoppedAt: number;

  constructor(tree: Tree, end = tree.length) {
    this.#tree = tree;
    this.parsedPos = end;
    this.stoppedAt = end;
  }

  advance(): Tree {
    return this.#tree;
  }

  stopAt(): void {
    // It is done.
  }
}

/** What parses a state's text; undefined where it has no language. */
export function parserOf(state: EditorState): BoundedParser | undefined {
  const parser = state.facet(language)?.parser;
  return parser instanceof BoundedParser ? parser : undefined;
}
