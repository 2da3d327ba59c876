/**
 * Remembers, for each source, the last thing that was made of it: a key asks several times for the
 * rows that a pane shows, and lists keep their array until they change.
 * @param isSame whether what was made for `before` is what `asked` asks for.
 */
export function memoizeLast<S extends object, Q, R>(
  make: (source: S, asked: Q) => R,
  isSame: (before: Q, asked: Q, made: R) => boolean = Object.is,
): (source: S, asked: Q) => R {
  const known = new WeakMap<S, { readonly asked: Q; readonly result: R }>();
  return (source, asked) => {
    const last = known.get(source);
    if (last !== undefined && isSame(last.asked, asked, last.result)) return last.result;
    const result = make(source, asked);
    known.set(source, { asked, result });
    return result;
  };
}

/** The same for what was made of a source by each of a few things to ask for. */
export function memoizeEach<S extends object, Q, R>(
  make: (source: S, asked: Q) => R,
): (source: S, asked: Q) => R {
  const known = new WeakMap<S, Map<Q, R>>();
  return (source, asked) => {
    const made = known.get(source) ?? new Map<Q, R>();
    if (made.has(asked)) return made.get(asked) as R;
    const result = make(source, asked);
    known.set(source, made.set(asked, result));
    return result;
  };
}
