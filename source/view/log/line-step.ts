import type { Console } from '../../store/deck/deck.ts';
import { copied } from '../../store/log/reader/pinned-range.ts';
import { chosenEntry } from './range.ts';
import { moveInLog } from '../shell/movement.ts';

/** The details of the next line that the log shows; its cursor goes along. */
export function stepLine(console: Console, age: 'newer' | 'older'): void {
  const { main } = console.screen.getState();
  const { tail } = console.opened.getState();
  if (main.kind !== 'line' || tail === undefined) return;
  moveInLog(console, age === 'newer' ? 1 : -1);
  const chosen = chosenEntry(tail);
  if (chosen === undefined || chosen.seq === main.entry.seq) {
    console.say(age === 'newer' ? 'No newer line.' : 'No older line at hand.');
    return;
  }
  console.screen.setState(({ scroll }) => ({
    main: { ...main, entry: copied(chosen) },
    scroll: { ...scroll, top: 0 },
  }));
}
