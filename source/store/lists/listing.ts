import { isDeepStrictEqual } from 'node:util';
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { DecodedRecord } from '../../client/client.ts';
import type { Result, ServiceError } from '../../client/http/errors.ts';
import type { Clock } from '../time/clock.ts';

export type { DecodedRecord } from '../../client/client.ts';
export type { ServiceError } from '../../client/http/errors.ts';

/** A list fetched from the service, and how fresh it is. Rows outlive every failure. */
export interface Listing<T> {
  readonly rows: readonly DecodedRecord<T>[];
  /** When the rows were last confirmed by the service; undefined before the first answer. */
  readonly loadedAt: number | undefined;
  /** When the fetch in flight was sent. */
  readonly loadingSince: number | undefined;
  /** Why the last fetch failed; cleared by the next that does not. */
  readonly error: ServiceError | undefined;
}

type FetchRows<T> = (signal: AbortSignal) => Promise<Result<readonly DecodedRecord<T>[]>>;

export interface ListingStore<T> {
  readonly state: StoreApi<Listing<T>>;
  /** Fetches once. A fetch that a later one overtook changes nothing and ends as that one does. */
  refresh(): Promise<Result<void>>;
  /** Notifies subscribers of rows that did not change, when the same rows mean something else. */
  notify(): void;
  /** Forgets the rows and whatever is in flight: they belong to something else now. */
  reset(fetchRows?: FetchRows<T>): void;
}

const nothing = {
  rows: [],
  loadedAt: undefined,
  loadingSince: undefined,
  error: undefined,
} as const;

const done: Result<void> = { ok: true, value: undefined };

/**
 * A list that refreshes without disturbing: rows that did not change keep their identity, and an
 * unchanged list keeps its array, so that nothing downstream redraws.
 */
export function createListing<T>(options: {
  readonly clock: Clock;
  readonly key: (row: T) => string;
  readonly fetchRows?: FetchRows<T>;
}): ListingStore<T> {
  const state = createStore<Listing<T>>(() => nothing);
  let fetchRows = options.fetchRows;
  let latest = new AbortController();
  /** The last answer: the client gives the same again where nothing changed. */
  let answered: readonly DecodedRecord<T>[] | undefined;
  let outcome: Promise<Result<void>> = Promise.resolve(done);

  async function fetchOnce(fetch: FetchRows<T>): Promise<Result<void>> {
    const request = new AbortController();
    latest.abort();
    latest = request;
    state.setState({ loadingSince: options.clock.now() });
    const result = await fetch(request.signal);
    if (request !== latest) return outcome;
    if (!result.ok) {
      const { error } = result;
      // Ended by our own side: that tells nothing about the list.
      const aborted = error.code === 'aborted';
      state.setState({ loadingSince: undefined, ...(aborted ? {} : { error }) });
      return result;
    }
    let { rows } = state.getState();
    if (result.value !== answered) {
      rows = await shareRows(rows, result.value, options.key);
      if (request !== latest) return outcome;
      answered = result.value;
    }
    const loadedAt = options.clock.now();
    state.setState({ rows, loadedAt, loadingSince: undefined, error: undefined });
    return done;
  }

  return {
    state,
    refresh() {
      if (fetchRows !== undefined) outcome = fetchOnce(fetchRows);
      return outcome;
    },
    notify() {
      state.setState({});
    },
    reset(next) {
      latest.abort();
      latest = new AbortController();
      outcome = Promise.resolve(done);
      answered = undefined;
      fetchRows = next ?? options.fetchRows;
      state.setState(nothing);
    },
  };
}

/** Rows of a long list that are compared before others may have a turn: a few milliseconds' work. */
const sliceLength = 500;

/**
 * `after`, but with the objects of `before` wherever nothing changed; `before` itself when nothing
 * did at all. Keys that occur twice are told apart by their place. A long list is compared with
 * turns of the event loop between, and whoever waits for it has a turn of their own.
 */
export async function shareRows<T>(
  before: readonly DecodedRecord<T>[],
  after: readonly DecodedRecord<T>[],
  key: (row: T) => string,
): Promise<readonly DecodedRecord<T>[]> {
  let byKey: ReadonlyMap<string, DecodedRecord<T>> | undefined;
  const known = (row: DecodedRecord<T>, index: number) => {
    const id = key(row.value);
    const inPlace = before[index];
    if (inPlace !== undefined && key(inPlace.value) === id) return inPlace;
    byKey ??= new Map(before.map((old) => [key(old.value), old]));
    return byKey.get(id);
  };
  let same = before.length === after.length;
  const shared: DecodedRecord<T>[] = [];
  for (const [index, row] of after.entries()) {
    const old = known(row, index);
    const kept = old !== undefined && isSameValue(old, row) ? old : row;
    if (kept !== before[index]) same = false;
    shared.push(kept);
    if (shared.length % sliceLength === 0) await new Promise(setImmediate);
  }
  return same ? before : shared;
}

/** Deeper, values are left to the comparison that knows everything, which is slow for long lists. */
const deepest = 4;

function isSameValue(left: unknown, right: unknown, depth = 0): boolean {
  if (Object.is(left, right)) return true;
  if (typeof left !== 'object' || typeof right !== 'object') return false;
  if (depth > deepest) return isDeepStrictEqual(left, right);
  // Plain loops: this runs for every field of a long list.
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
