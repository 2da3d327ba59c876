/**
 * Returns a function that makes one call for all callers that wait at the same time. Each caller gets the
 * result of a call that began after its own, so that the result has the caller's earlier changes.
 */
export function shareCall<T>(call: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  let next: Promise<T> | undefined;

  function begin(): Promise<T> {
    next = undefined;
    const begun = call().finally(() => {
      running = undefined;
    });
    running = begun;
    return begun;
  }

  return () => {
    // The last call has settled, and the one that waits for it is about to begin.
    if (running === undefined) return next ?? begin();
    next ??= running.then(begin, begin);
    return next;
  };
}
