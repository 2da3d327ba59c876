import { setFlagsFromString } from 'node:v8';
import type { Deck } from '../store/deck/deck.ts';

/** Lines of one log after which as much garbage comes and goes as ever will. */
const flood = 1_000_000;

/**
 * Has V8 leave its young generation as large as it is once a log has given very many lines. It is
 * doubled whenever as much has survived in it as it holds, and in a flood that lasts this comes at any
 * size: tens of megabytes more, for nothing that could be measured.
 *
 * @param hold does it.
 */
export function capYoungGeneration(
  { opened }: Pick<Deck, 'opened'>,
  lines = flood,
  hold = () => setFlagsFromString('--semi-space-growth-factor=1'),
): void {
  let leaveLog = (): void => {};
  let leaveOpened = (): void => {};
  const watch = (): void => {
    leaveLog();
    const state = opened.getState().tail?.log.state;
    if (state === undefined) return;
    leaveLog = state.subscribe(({ received }) => {
      if (received < lines) return;
      leaveLog();
      leaveOpened();
      hold();
    });
  };
  leaveOpened = opened.subscribe(watch);
  watch();
}
