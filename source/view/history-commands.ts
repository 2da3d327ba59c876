import type { Console } from '../store/console.ts';
import { staysUntilEscape } from '../store/screen.ts';
import { openHistory } from '../store/screen-steps.ts';

/** Shows what was done and said; the errors that stand in the message row are among it. */
export function showHistory({ screen }: Console): void {
  screen.setState((state) => ({
    ...openHistory(state),
    message: staysUntilEscape(state.message) ? undefined : state.message,
  }));
}
