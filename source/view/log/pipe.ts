/** Pipes lines of the log to a command on this machine (`|`). */
import type { Deck } from '../../store/deck/deck.ts';
import { oneLineText } from '../../store/log/format.ts';
import { type LogRange, sliceLog } from '../../store/log/reader/slices.ts';
import type { Tail } from '../../store/log/tail.ts';
import { type Prompt, prompting } from '../../store/prompts/prompt.ts';
import { turnOf } from '../../store/time/clock.ts';
import { stripSilentCodes } from '../../tail/silent-codes.ts';
import { sanitize } from '../../terminal/screen/sanitize.ts';
import type { Terminal } from '../command/action.ts';
import {
  countEntries,
  lineCountText,
  nonEmptyTail,
  reportHiddenRange,
  shownRange,
} from './range.ts';

type Handles = Pick<Deck, 'clock' | 'screen' | 'messages' | 'opened'>;

/** Prompts for a command, and pipes the selected lines to it, or else all that are shown. */
export function promptPipe(deck: Handles, terminal: Pick<Terminal, 'pipe'>): void {
  const tail = nonEmptyTail(deck);
  const selection = tail?.view.selection();
  const range = selection ?? (tail === undefined ? undefined : shownRange(tail));
  if (tail === undefined || range === undefined) return deck.messages.say('No lines to pipe.');
  if (reportHiddenRange(deck, tail, range)) return;
  const isAll = selection !== undefined || tail.filter.isDone();
  const count = `${lineCountText(countEntries(tail, range))}${isAll ? '' : ' so far'}`;
  const { pipedCommands } = deck.opened;
  const prompt: Prompt = {
    label: `Pipe ${count}${selection === undefined ? '' : ' selected'} to: `,
    hints: [
      ['Enter', 'run'],
      ['Up/Down', 'history'],
      ['^C', 'ends it'],
      ['Esc', 'cancel'],
    ],
    entered: () => pipedCommands.state.getState().map((text) => ({ prompt, text })),
    submit(command) {
      deck.screen.overlay.close();
      if (command.trim() === '') return;
      pipedCommands.add(command.trim());
      void pipe(deck, terminal, { tail, range, command });
    },
  };
  deck.screen.overlay.open(prompting(prompt));
}

async function pipe(
  deck: Handles,
  terminal: Pick<Terminal, 'pipe'>,
  {
    tail,
    range,
    command,
  }: { readonly tail: Tail; readonly range: LogRange; readonly command: string },
): Promise<void> {
  let isCut = false;
  const texts = pipedTexts(deck, tail, range, () => {
    isCut = true;
  });
  const end = await terminal.pipe(command, texts);
  if (end === undefined) return;
  if (end.kind === 'failed') deck.messages.say(`Can't run the command: ${end.reason}`, 'bad');
  else if (isCut) deck.messages.say('The shown lines have changed; the rest was not piped.', 'bad');
  else if (end.status !== 0) deck.messages.say(`The command ended with ${end.status}.`);
}

/**
 * Yields the texts of lines, one a row, in slices between which the console works. What a terminal could
 * take for a command is made visible, as the output goes there.
 */
async function* pipedTexts(
  { clock }: Pick<Handles, 'clock'>,
  tail: Pick<Tail, 'filter'>,
  range: LogRange,
  onCut: () => void,
): AsyncGenerator<string, void, undefined> {
  const slices = sliceLog(tail.filter, range, () => clock.now());
  for (;;) {
    let text = '';
    const end = slices.next((entry) => {
      if (entry.kind === 'line') text += `${pipedText(entry.line.logLine)}\n`;
    });
    if (text !== '') yield text;
    if (end === 'done') return;
    if (end === 'moved') return onCut();
    await turnOf(clock);
  }
}

function pipedText(text: string): string {
  return sanitize(oneLineText(stripSilentCodes(text)), { tab: 'keep' });
}
