import type { Deck } from '../store/deck/deck.ts';

/** Lines of one log after which V8's young generation has reached a useful size. */
const flood = 1_000_000;

/**
 * Stops the growth of V8's young generation once a log has received `lines` lines. V8 doubles that
 * generation whenever enough objects survive, and a lasting flood reaches every size: tens of
 * megabytes more, with no measurable gain.
 * @param hold stops the growth; replaced in tests.
 */
export function capYoungGeneration(
  { opened }: Pick<Deck, 'opened'>,
  lines = flood,
  hold = () =>
    process.getBuiltinModule('node:v8').setFlagsFromString('--semi-space-growth-factor=1'),
): void {
  let unsubscribeLog = (): void => {};
  let unsubscribeOpened = (): void => {};
  const watch = (): void => {
    unsubscribeLog();
    const state = opened.getState().tail?.log.state;
    if (state === undefined) return;
    unsubscribeLog = state.subscribe(({ received }) => {
      if (received < lines) return;
      unsubscribeLog();
      unsubscribeOpened();
      hold();
    });
  };
  unsubscribeOpened = opened.subscribe(watch);
  watch();
}
