import type { ScreenLink } from './screen-link.ts';

/** Facts about the frames of the screen, each as it was when its frame was written. */
export interface FrameFacts<T> {
  /** Returns the fact of the last frame that the terminal has acknowledged; undefined without one. */
  shown(): T | undefined;
  /** Returns the facts of the frames after that one, which the terminal may show or not, oldest first. */
  unacknowledged(): readonly T[];
}

/**
 * Creates the facts of frames that a link sends to the terminal.
 *
 * @param read returns the fact of the frame that was just written.
 */
export function createFrameFacts<T>(
  link: Pick<ScreenLink, 'isSilent' | 'afterAcknowledged'>,
  read: () => T,
): FrameFacts<T> & { readonly record: () => void } {
  let shown: T | undefined;
  let later: readonly T[] = [];
  return {
    shown: () => shown,
    unacknowledged: () => later,
    record() {
      const fact = read();
      if (link.isSilent) {
        [shown, later] = [undefined, []];
        return;
      }
      if (fact === (later.at(-1) ?? shown)) return;
      later = [...later, fact];
      link.afterAcknowledged(() => {
        shown = fact;
        later = later.slice(later.indexOf(fact) + 1);
      });
    },
  };
}
