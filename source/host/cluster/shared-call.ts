/**
 * Returns a function that makes a call for all who ask at the same time. Each of them gets the result of one
 * that began after it had asked, so that its own earlier changes are in it.
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
    // The next call begins only after those who await the last one have gone on.
    if (running === undefined) return next ?? begin();
    next ??= running.then(begin, begin);
    return next;
  };
}
