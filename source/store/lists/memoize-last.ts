/**
 * Memoizes the last result for each source. One key reads the rows of a pane several times, and a
 * list keeps its array until it changes.
 * @param compute receives the last result for the same source, whose parts it may keep.
 * @param isSame tells whether the result for the argument `before` is valid for `argument`.
 */
export function memoizeLast<S extends object, Q, R>(
  compute: (source: S, argument: Q, last: R | undefined) => R,
  isSame: (before: Q, argument: Q, result: R) => boolean = Object.is,
): (source: S, argument: Q) => R {
  const cache = new WeakMap<S, { readonly argument: Q; readonly result: R }>();
  return (source, argument) => {
    const last = cache.get(source);
    if (last !== undefined && isSame(last.argument, argument, last.result)) return last.result;
    const result = compute(source, argument, last?.result);
    cache.set(source, { argument, result });
    return result;
  };
}

/** Memoizes the results for each source and each of a few arguments. */
export function memoizeEach<S extends object, Q, R>(
  compute: (source: S, argument: Q) => R,
): (source: S, argument: Q) => R {
  const cache = new WeakMap<S, Map<Q, R>>();
  return (source, argument) => {
    const results = cache.get(source) ?? new Map<Q, R>();
    if (results.has(argument)) return results.get(argument) as R;
    const result = compute(source, argument);
    cache.set(source, results.set(argument, result));
    return result;
  };
}

/**
 * Memoizes a value of each row of a list. A row takes the value of the row at the same index of the
 * last list where `isSame` tells that nothing changed that it is derived from: lists are fetched
 * again and again, and most of their fields stay. Returns the last array where no value is another.
 */
export function deriveEach<T, R>(
  derive: (value: T) => R,
  isSame: (before: T, now: T) => boolean,
): (rows: readonly { readonly value: T }[]) => readonly R[] {
  let last: { readonly rows: readonly { readonly value: T }[]; readonly results: readonly R[] } = {
    rows: [],
    results: [],
  };
  return (rows) => {
    if (rows === last.rows) return last.results;
    const before = last;
    const results = rows.map(({ value }, index) => {
      const old = before.rows[index];
      return old !== undefined && isSame(old.value, value)
        ? (before.results[index] as R)
        : derive(value);
    });
    const isUnchanged =
      results.length === before.results.length &&
      results.every((result, index) => result === before.results[index]);
    last = { rows, results: isUnchanged ? before.results : results };
    return last.results;
  };
}
