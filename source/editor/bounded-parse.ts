import type { PartialParse, Tree } from '@lezer/common';

/**
 * The extent of a parse. `change`: within the cost limit, returns a tree of the known text and a
 * little more. `slice`: one step. `collect`: returns a tree of everything parsed so far. `reuse`:
 * returns the tree that was collected last.
 */
export type ParseMode = 'change' | 'slice' | 'collect' | 'reuse';

/** Cost of one `advance`: the caller looks at its clock in between. */
const costPerAdvance = 100;

/** The limits of a bounded parse. */
export interface ParseBounds {
  readonly mode: () => ParseMode;
  /** The cost limit of a change. */
  readonly costLimit: number;
  /** The position at which the parse stops at the latest. */
  readonly stopAt: number;
  readonly end: number;
  /** The tree returned for a text that is nested too deeply. */
  readonly unread: Tree;
  readonly costOf: (units: number) => number;
}

/**
 * The largest depth of the parser's stack, which has three entries for each open node. Real files
 * are far shallower; reusing parts of trees twice as deep gives broken trees.
 */
const maxStackDepth = 3000;

/** Returns the depth of a parser's stack; 0 when the parser does not expose it. */
function depthOf(parse: PartialParse): number {
  const { stacks } = parse as {
    readonly stacks?: readonly { readonly stack?: ArrayLike<number> }[];
  };
  return stacks?.[0]?.stack?.length ?? 0;
}

/** Returns true when the text is nested too deeply to be parsed. */
export function isTooDeep(parse: PartialParse): boolean {
  return depthOf(parse) > maxStackDepth;
}

/** A parse that pauses or stops when its cost limit is reached. */
export class BoundedParse implements PartialParse {
  readonly #parse: PartialParse;
  readonly #bounds: ParseBounds;
  #requestedStop: number | null = null;
  #cost = 0;

  constructor(parse: PartialParse, bounds: ParseBounds) {
    this.#parse = parse;
    this.#bounds = bounds;
    if (bounds.stopAt < bounds.end) parse.stopAt(bounds.stopAt);
  }

  get parsedPos(): number {
    return this.#parse.parsedPos;
  }

  /** Hides the actual stop: CodeMirror would take the tree as complete, or resume at once. */
  get stoppedAt(): number | null {
    return this.#parse.stoppedAt === null ? null : (this.#requestedStop ?? this.#bounds.end);
  }

  stopAt(position: number): void {
    this.#requestedStop = position;
    this.#stop(position);
  }

  advance(): Tree | null {
    try {
      const pace = this.#bounds.mode();
      const canStep =
        pace === 'slice' || (pace === 'change' && this.#cost < this.#bounds.costLimit);
      if (canStep) return this.#step();
      this.#stop(this.#parse.parsedPos);
      return runParse(this.#parse);
    } catch (error) {
      // Deeply nested text can exceed the call stack.
      if (error instanceof RangeError) return this.#bounds.unread;
      throw error;
    }
  }

  #step(): Tree | null {
    const limit = this.#cost + costPerAdvance;
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

/** Runs a parse to its end and returns the tree. */
export function runParse(parse: PartialParse): Tree {
  for (;;) {
    const tree = parse.advance();
    if (tree !== null) return tree;
  }
}

/** A parse that has already finished with a tree. */
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
    // A finished parse has nothing to stop.
  }
}
