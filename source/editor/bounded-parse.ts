import type { PartialParse, Tree } from '@lezer/common';

/**
 * What a parse does when it is asked to go on: `change`, a step with which a tree is found at
 * once, of what was known and a little more; `slice`, a step alone; `take`, a tree of all that was
 * found; `keep`, nothing but to give the tree that was taken last.
 */
export type ParsePace = 'change' | 'slice' | 'take' | 'keep';

/** What is done between two looks at a clock: the one of CodeMirror, or that of who asks for slices. */
const costAtOnce = 100;

export interface Bounds {
  readonly pace: () => ParsePace;
  /** What a change does. */
  readonly cost: number;
  /** Where to stop at the latest. */
  readonly goal: number;
  readonly end: number;
  /** The tree of a text that is nested too deep. */
  readonly unread: Tree;
  readonly costOf: (units: number) => number;
}

/**
 * Entries on a grammar's stack, three for each word that is open. Far deeper than files are; trees
 * of twice that depth come out broken once parts of them are used again.
 */
const deepest = 3000;

/** How deep a parse is in its text, as far as its parser lets that be seen. */
function depthOf(parse: PartialParse): number {
  const { stacks } = parse as {
    readonly stacks?: readonly { readonly stack?: ArrayLike<number> }[];
  };
  return stacks?.[0]?.stack?.length ?? 0;
}

/** Whether a text is nested deeper than it is read. */
export function isTooDeep(parse: PartialParse): boolean {
  return depthOf(parse) > deepest;
}

/** A parse that stops, or pauses, once it has done as much as it may. */
export class BoundedParse implements PartialParse {
  readonly #parse: PartialParse;
  readonly #bounds: Bounds;
  #asked: number | null = null;
  #cost = 0;

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
      const goesOn = pace === 'slice' || (pace === 'change' && this.#cost < this.#bounds.cost);
      if (goesOn) return this.#step();
      this.#stop(this.#parse.parsedPos);
      return finished(this.#parse);
    } catch (error) {
      // Some texts are nested deeper than the stack.
      if (error instanceof RangeError) return this.#bounds.unread;
      throw error;
    }
  }

  #step(): Tree | null {
    const limit = this.#cost + costAtOnce;
    while (this.#cost < limit) {
      const before = this.#parse.parsedPos;
      const tree = this.#parse.advance();
      if (tree !== null) return tree;
      if (isTooDeep(this.#parse)) return this.#bounds.unread;
      this.#cost += this.#bounds.costOf(Math.max(0, this.#parse.parsedPos - before));
    }
    return null;
  }

  #stop(position: number): void {
    const { stoppedAt } = this.#parse;
    if (stoppedAt === null || position < stoppedAt) this.#parse.stopAt(position);
  }
}

/** What a parse comes to that soon ends. */
export function finished(parse: PartialParse): Tree {
  for (;;) {
    const tree = parse.advance();
    if (tree !== null) return tree;
  }
}

/** A parse that is done. */
export class FinishedParse implements PartialParse {
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
