import type { Console } from '../store/console.ts';
import { boxAnswersAfter, closeView, messageLife } from '../store/screen.ts';
import type { Terminal } from './action.ts';
import { askToLeave } from './leave.ts';

/** Asks; any other key takes the question back. */
export const quitQuestion = 'q again quits.';

/**
 * `q` closes the view, full screen first; at the panes a second press quits. That one counts only
 * after the first one's answer could be read, and not long after (screens, rules 4 and 6).
 */
export function quitStep(console: Console, terminal: Terminal): void {
  const { screen, clock } = console;
  const state = screen.getState();
  if (state.fullscreen) return screen.setState({ fullscreen: false });
  if (state.focus === 'main' && state.main.kind !== 'logs') return screen.setState(closeView);
  if (state.transfer !== undefined) return quitNow(console, terminal);
  const asked = state.quitAskedAt;
  const now = clock.now();
  if (asked !== undefined && now - asked >= boxAnswersAfter && now - asked < messageLife) {
    return quitNow(console, terminal);
  }
  console.say(quitQuestion);
  if (asked === undefined || now - asked >= messageLife) screen.setState({ quitAskedAt: now });
}

/** Quits, unless something is under way; asks where restarts count. */
export function quitNow(console: Console, terminal: Terminal): void {
  const { transfer } = console.screen.getState();
  if (transfer !== undefined) return console.say(`${transfer.verb} is under way. ^C ends it.`);
  askToLeave(console, 'quit', () => terminal.quit());
}
