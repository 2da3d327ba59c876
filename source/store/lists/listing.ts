import { isDeepStrictEqual } from 'node:util';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { ListResult, Result, ServiceError } from '../../client/http/errors.ts';
import type { Clock } from '../time/clock.ts';
import type { KeyPause } from '../time/key-pause.ts';

/** A list fetched from the service, with its age. A failed fetch keeps the rows. */
export interface Listing<T> {
  readonly rows: readonly DecodedRecord<T>[];
  /** Number of rows on the service that its answer leaves out. */
  readonly unlisted: number;
  /** Time of the last successful fetch, ms since the epoch; undefined before the first answer. */
  readonly loadedAt: number | undefined;
  /** Time at which the fetch in flight was sent, ms since the epoch. */
  readonly loadingSince: number | undefined;
  /** Error of the last fetch; cleared by the next success. */
  readonly error: ServiceError | undefined;
}

type FetchRows<T> = (signal: AbortSignal) => Promise<ListResult<DecodedRecord<T>>>;

type StepsFor<T> = (rows: readonly DecodedRecord<T>[]) => readonly (() => void)[];

export interface ListingStore<T> {
  readonly state: StoreApi<Listing<T>>;
  /** Fetches the list. A fetch replaced by a later one resolves with the result of the later one. */
  refresh(): Promise<Result<void>>;
  /**
   * Adds work on the rows of a long list that changed: its steps, a few milliseconds each, run in
   * tasks of their own before the rows are shown, so that showing them delays no key.
   */
  prepareWith(steps: StepsFor<T>): void;
  /** Adds a row that the service has confirmed and the last answer lacks, until the next answer. */
  add(row: DecodedRecord<T>): void;
  /** Notifies subscribers although the rows are the same, when they mean something else. */
  notify(): void;
  /** Clears the rows and aborts the fetch in flight; `fetchRows` replaces the source of the list. */
  reset(fetchRows?: FetchRows<T>): void;
}

const emptyListing = {
  rows: [],
  unlisted: 0,
  loadedAt: undefined,
  loadingSince: undefined,
  error: undefined,
} as const;

const done: Result<void> = { ok: true, value: undefined };

/**
 * Creates a list that keeps the identity of unchanged rows, and the array of an unchanged list, so
 * that an unchanged list causes no redraw.
 */
export function createListing<T>(options: {
  readonly clock: Clock;
  readonly key: (row: T) => string;
  readonly fetchRows?: FetchRows<T>;
  /** Work on a long list waits for the answers to keys. */
  readonly keyPause?: Pick<KeyPause, 'workTurn'> | undefined;
}): ListingStore<T> {
  const turn = () => options.keyPause?.workTurn() ?? nextTurn();
  const state = createStore<Listing<T>>(() => emptyListing);
  let fetchRows = options.fetchRows;
  let latest = new AbortController();
  /** The last answer; the client returns the same array for an unchanged answer. */
  let lastAnswer: readonly DecodedRecord<T>[] | undefined;
  let outcome: Promise<Result<void>> = Promise.resolve(done);
  const preparations: StepsFor<T>[] = [];

  async function fetchOnce(fetch: FetchRows<T>): Promise<Result<void>> {
    const request = new AbortController();
    latest.abort();
    latest = request;
    state.setState({ loadingSince: options.clock.now() });
    const result = await fetch(request.signal);
    if (request !== latest) return outcome;
    if (!result.ok) {
      const { error } = result;
      // An abort by the client is no error of the list.
      const isAborted = error.code === 'aborted';
      state.setState({ loadingSince: undefined, ...(isAborted ? {} : { error }) });
      return result;
    }
    let { rows } = state.getState();
    if (result.value !== lastAnswer) {
      const before = rows;
      rows = await shareRows(before, result.value, options.key, turn);
      if (rows !== before && rows.length >= sliceLength) await prepare(rows, request.signal);
      if (request !== latest) return outcome;
      lastAnswer = result.value;
    }
    const loadedAt = options.clock.now();
    const unlisted = Math.max(0, (result.total ?? 0) - rows.length);
    state.setState({ rows, unlisted, loadedAt, loadingSince: undefined, error: undefined });
    return done;
  }

  async function prepare(rows: readonly DecodedRecord<T>[], signal: AbortSignal): Promise<void> {
    for (const step of preparations.flatMap((stepsFor) => stepsFor(rows))) {
      if (signal.aborted) return;
      step();
      await turn();
    }
  }

  return {
    state,
    prepareWith(steps) {
      preparations.push(steps);
    },
    refresh() {
      if (fetchRows !== undefined) outcome = fetchOnce(fetchRows);
      return outcome;
    },
    add(row) {
      const { rows } = state.getState();
      const id = options.key(row.value);
      if (rows.some(({ value }) => options.key(value) === id)) return;
      lastAnswer = undefined;
      state.setState({ rows: [...rows, row] });
    },
    notify() {
      state.setState({});
    },
    reset(next) {
      latest.abort();
      latest = new AbortController();
      outcome = Promise.resolve(done);
      lastAnswer = undefined;
      fetchRows = next ?? options.fetchRows;
      state.setState(emptyListing);
    },
  };
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

/** Rows compared before the event loop may run other tasks; takes a few milliseconds. */
const sliceLength = 500;

/**
 * Returns `after` with the objects of `before` for all unchanged rows, or `before` itself when no row
 * changed. Rows with the same key are matched by index first. Yields to the event loop while it
 * compares a long list.
 */
export async function shareRows<T>(
  before: readonly DecodedRecord<T>[],
  after: readonly DecodedRecord<T>[],
  key: (row: T) => string,
  turn = nextTurn,
): Promise<readonly DecodedRecord<T>[]> {
  let byKey: ReadonlyMap<string, DecodedRecord<T>> | undefined;
  const findOld = (row: DecodedRecord<T>, index: number) => {
    const id = key(row.value);
    const sameIndex = before[index];
    if (sameIndex !== undefined && key(sameIndex.value) === id) return sameIndex;
    byKey ??= new Map(before.map((old) => [key(old.value), old]));
    return byKey.get(id);
  };
  let isUnchanged = before.length === after.length;
  const rows: DecodedRecord<T>[] = [];
  for (const [index, row] of after.entries()) {
    const old = findOld(row, index);
    const sharedRow = old !== undefined && isSameValue(old, row) ? old : row;
    if (sharedRow !== before[index]) isUnchanged = false;
    rows.push(sharedRow);
    if (rows.length % sliceLength === 0) await turn();
  }
  return isUnchanged ? before : rows;
}

/** Depth below which values go to `isDeepStrictEqual`, which is complete but slow for long lists. */
const maxDepth = 4;

function isSameValue(left: unknown, right: unknown, depth = 0): boolean {
  if (Object.is(left, right)) return true;
  if (typeof left !== 'object' || typeof right !== 'object') return false;
  if (depth > maxDepth) return isDeepStrictEqual(left, right);
  // Plain loops, because this code runs for every field of a long list.
  if (Array.isArray(left) && Array.isArray(right)) {
    if (left.length !== right.length) return false;
    for (let index = 0; index < left.length; index += 1) {
      if (!isSameValue(left[index], right[index], depth + 1)) return false;
    }
    return true;
  }
  if (!isPlain(left) || !isPlain(right)) return isDeepStrictEqual(left, right);
  const keys = Object.keys(left);
  if (keys.length !== Object.keys(right).length) return false;
  for (const key of keys) {
    if (!Object.hasOwn(right, key) || !isSameValue(left[key], right[key], depth + 1)) return false;
  }
  return true;
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}
