import type { Console } from '../store/console.ts';
import { openHistory, staysUntilEscape } from '../store/screen.ts';

/** Shows what was done and said; the errors that stand in the message row are among it. */
export function showHistory({ screen }: Console): void {
  screen.setState((state) => ({
    ...openHistory(state),
    message: staysUntilEscape(state.message) ? undefined : state.message,
  }));
}
