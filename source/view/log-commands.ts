import type { Console } from '../store/console.ts';
import { isUtcHere, logTimesSentence, nextLogTimes } from '../store/log-times.ts';

/** The next kind of times before the lines of the log. */
export function stepTimes(console: Console): void {
  const localIsUtc = isUtcHere(console.clock.now());
  const times = nextLogTimes(console.screen.getState().times, localIsUtc);
  console.screen.setState({ times });
  console.say(logTimesSentence(times));
}
