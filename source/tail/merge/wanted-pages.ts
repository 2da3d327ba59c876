import type { GapReason } from '../arena/gap.ts';
import type { Place } from '../arena/place.ts';
import type { Doubts } from './doubts.ts';
import type { JoinedLines } from './joined-lines.ts';
import type { LogOrder } from './log-order.ts';
import type { PagePlanner } from './page-planner.ts';
import type { MergeOptions, PageRequest, PageTarget } from './page-request.ts';

/** After so many attempts, the meaning of offsets is found out anew. */
const attemptsOfOrder = 4;

/** The attempts for the present target since its last progress. */
export interface PageWork {
  readonly target: PageTarget;
  readonly edge: Place | undefined;
  readonly attempt: number;
  /** Answers that brought nothing. */
  readonly idle: number;
  /** True once a page held nothing but lines of the instant at the edge. */
  readonly isInside: boolean;
  /** True once a page held the newest lines of that instant. */
  readonly sawNewest: boolean;
}

const noWork: PageWork = {
  target: 'head',
  edge: undefined,
  attempt: 0,
  idle: 0,
  isInside: false,
  sawNewest: false,
};

/** Decides for what a page is wanted: the newest lines, a gap, older lines, or lines in doubt. */
export class WantedPages<Line> {
  /** Requests may be made: not while the service is away. */
  isAllowed = false;
  /** The service has nothing before the oldest known line. */
  isComplete = false;
  /** `audit`: whether the quiet stream keeps lines back. */
  head: 'known' | 'wanted' | 'audit' = 'known';
  work = noWork;
  /** Connections opened so far. */
  connection = 0;
  readonly #joined: JoinedLines<Line>;
  readonly #planner: PagePlanner;
  readonly #order: LogOrder<Line>;
  readonly #doubts: Doubts;
  readonly #patience: number;
  /** Lines of history that are wanted. */
  #history: number;
  #requests = 0;

  constructor(
    joined: JoinedLines<Line>,
    planner: PagePlanner,
    order: LogOrder<Line>,
    doubts: Doubts,
    { history, patience }: MergeOptions,
  ) {
    this.#joined = joined;
    this.#planner = planner;
    this.#order = order;
    this.#doubts = doubts;
    this.#history = history;
    this.#patience = patience;
  }

  /** Returns the request for the next page; undefined when none is needed. */
  next(isOpen: boolean): PageRequest | undefined {
    const next = this.#target(isOpen);
    if (next === undefined) return undefined;
    const { target, edge } = next;
    if (this.work.target !== target || this.work.edge !== edge) {
      this.work = { ...noWork, target, edge };
      this.#planner.restart();
    }
    const { log } = this.#joined;
    const above = edge === undefined ? 0 : log.linesFrom(this.#joined.behind(edge));
    const lines = target === 'head' ? this.#history : this.#missingHistory();
    this.#requests += 1;
    return {
      number: this.#requests,
      ...(this.#order.next ?? this.#planner.plan(target, edge, lines, above)),
      attempt: this.work.attempt,
      target,
      edge,
      connection: this.connection,
      newest: this.#joined.newest(),
      settled: this.#doubts.settled,
    };
  }

  wantHead(head: 'wanted' | 'audit'): void {
    this.head = head;
    this.#planner.restartEnd();
  }

  /** With a live line at hand, what is missing before it is asked for instead of the newest page. */
  noteLiveLines(): void {
    if (this.head === 'wanted') this.head = 'known';
  }

  noteHead({ connection }: Pick<PageRequest, 'connection'>): void {
    // Only a page that was requested on this connection joins what came before it.
    if (connection === this.connection) this.head = 'known';
    else this.#planner.restartEnd();
  }

  /** Asks for lines before the oldest one. */
  older(lines: number): void {
    this.#history = this.#hadHistory() + lines;
  }

  /** Lines that were just dropped from memory are fetched again only on request. */
  forgetOlder(): void {
    this.#history = 0;
    this.isComplete = false;
  }

  /** The service has nothing before a place: what is missing below is gone. */
  beginAt(place: Place): void {
    this.isComplete = true;
    this.#joined.beginAt(place);
  }

  /** A target was reached, or another one comes first. */
  restart(): void {
    this.work = noWork;
    this.#planner.restart();
  }

  /** Asks again after a while: the service may be behind its own stream, or away. */
  later(why: GapReason): void {
    const attempt = this.work.attempt + 1;
    if (attempt > this.#patience) {
      this.abandon(why);
      return;
    }
    this.work = { ...this.work, attempt, idle: 0 };
    this.#planner.restart();
    if (attempt % attemptsOfOrder === 0) this.#order.forget();
  }

  /** Stops asking for a target; a gap stands as missing until it is tried again. */
  abandon(why: GapReason): void {
    const { target, edge } = this.work;
    if (target === 'head') this.head = 'known';
    else if (target === 'older') this.#history = 0;
    else if (target === 'check') this.#doubts.dismiss();
    else if (edge !== undefined) this.#joined.giveUpBelow(edge, why);
    this.restart();
  }

  #target(isOpen: boolean): Pick<PageWork, 'target' | 'edge'> | undefined {
    const { spans } = this.#joined;
    if (this.head === 'wanted') return { target: 'head', edge: undefined };
    const gap = spans.findLast(({ below }) => below?.kind === 'filling');
    if (gap !== undefined) return { target: 'gap', edge: gap.from };
    if (this.#missingHistory() > 0) return { target: 'older', edge: spans[0]?.from };
    const doubt = this.#doubts.next();
    if (doubt !== undefined && isOpen) return { target: 'check', edge: doubt };
    return this.head === 'audit' ? { target: 'head', edge: undefined } : undefined;
  }

  /** Returns the number of lines of history that are wanted and missing. */
  #missingHistory(): number {
    if (this.isComplete || this.#joined.spans.length === 0) return 0;
    return Math.max(0, this.#history - this.#hadHistory());
  }

  #hadHistory(): number {
    const { log, start } = this.#joined;
    return log.lines - (start === undefined ? 0 : log.linesFrom(start));
  }
}
