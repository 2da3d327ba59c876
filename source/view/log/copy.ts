/** Copies and prints lines of the log. */
import { keyName } from '../../store/prompts/key-names.ts';
import type { Deck } from '../../store/deck/deck.ts';
import { type RangeText, type RangeTextForm, rangeText } from '../../store/log/reader/export.ts';
import type { LogRange } from '../../store/log/reader/slices.ts';
import { messageLife } from '../../store/deck/screen/message.ts';
import { formatBytes } from '../../store/files/file-size.ts';
import { type Clipboard, type CopyForm, printCopied, sentSentence } from '../command/copy.ts';
import { selectedOrCursorRange, nonEmptyTail, reportHiddenRange, shownRange } from './range.ts';
import type { Tail } from '../../store/log/tail.ts';

/** Most characters that are copied; longer texts can be exported to a file. */
const maxCopyLength = 4 * 1024 * 1024;

const forms = { short: 'text', whole: 'whole' } as const satisfies Record<CopyForm, RangeTextForm>;

/** Copies the selected lines, or the line under the cursor (`y`, `Y`). */
export async function copyLines(
  deck: Pick<Deck, 'clock' | 'messages' | 'opened'>,
  clipboard: Clipboard,
  form: CopyForm,
): Promise<void> {
  const tail = nonEmptyTail(deck);
  const range = tail === undefined ? undefined : selectedOrCursorRange(tail);
  if (tail === undefined || range === undefined) return deck.messages.say('No line to copy.');
  if (reportHiddenRange(deck, tail, range)) return;
  const text = await readRangeText(deck, tail, range, forms[form]);
  if (text === undefined) return;
  if (text === '') return deck.messages.say('The line is empty. Nothing was copied.');
  const sent = await clipboard.copy(text);
  deck.messages.say(sentSentence(sent), sent.isSent ? 'plain' : 'bad');
}

/**
 * Prints the selected or visible log lines, so that the terminal can select them (`P`). Prints the
 * last copy instead in other panes, and while a message offers it.
 * @param rows height of the log's pane.
 */
export async function printHere(
  deck: Pick<Deck, 'clock' | 'screen' | 'messages' | 'opened'>,
  clipboard: Clipboard,
  rows: number,
): Promise<void> {
  const tail = nonEmptyTail(deck);
  if (!isLogInFront(deck) || tail === undefined || offersCopy(deck, clipboard)) {
    return printCopied(deck, clipboard);
  }
  const range = tail.view.selection() ?? visibleRange(tail, rows);
  if (range !== undefined && reportHiddenRange(deck, tail, range)) return;
  const text = range === undefined ? '' : await readRangeText(deck, tail, range, 'whole');
  if (text !== undefined) await clipboard.print(text);
}

function isLogInFront(deck: Pick<Deck, 'screen'>): boolean {
  const { focus, main } = deck.screen.getState();
  return focus === 'main' && main.kind === 'logs';
}

function offersCopy(deck: Pick<Deck, 'clock' | 'screen'>, clipboard: Clipboard): boolean {
  const { message } = deck.screen.getState();
  if (message === undefined || !clipboard.hasCopied()) return false;
  const isSeen = message.tone === 'bad' || deck.clock.now() - message.at < messageLife;
  return isSeen && message.text.endsWith(`${keyName('app.print', 'P')} prints it.`);
}

/** Resolves to the text of a range, or reports why it is unavailable. */
async function readRangeText(
  deck: Pick<Deck, 'clock' | 'messages'>,
  tail: Tail,
  range: LogRange,
  form: RangeTextForm,
): Promise<string | undefined> {
  const { clock } = deck;
  const text = await rangeText(tail.filter, range, form, { clock, most: maxCopyLength });
  if (text.kind === 'text') return text.text;
  deck.messages.say(copyErrors[text.kind](), 'bad');
  return undefined;
}

const copyErrors: Readonly<Record<Exclude<RangeText['kind'], 'text'>, () => string>> = {
  'too-long': () =>
    `The selection is longer than ${formatBytes(maxCopyLength)}. ${keyName('log.export', 'S')} saves it to a file.`,
  gone: () => 'The selected lines have left memory. Nothing was copied.',
  moved: () => 'The shown lines have changed. Nothing was copied; select again.',
};

/** Returns the visible entries; a partly visible line counts whole. */
function visibleRange(tail: Tail, rows: number): LogRange | undefined {
  const { entries, view } = tail;
  const top = view.top()?.seq;
  if (top === undefined) return shownRange(tail);
  const first = entries.indexOf(top);
  const last = entries.at(Math.min(first + rows, entries.length) - 1);
  return last === undefined ? undefined : { first: top, last: last.seq };
}
