import { keyName } from '../../store/prompts/key-names.ts';
import { isMessageShown, type Message } from '../../store/deck/screen/message.ts';
import type { Reach } from '../../store/lists/reach.ts';
import { formatWait } from '../../store/time/age.ts';
import { headOfLine, lineWidth, wrapWords } from '../text/fit.ts';
import { type Line, plain, span } from '../text/line.ts';

/**
 * Returns the message row of `width` cells: the last message, otherwise the notice of an unreachable
 * service. A message disappears after 5 s, an error on Esc, and what is being done when it is over. The
 * notice follows a message if it fits.
 */
export function messageLine(
  message: Message | undefined,
  reach: Reach,
  now: number,
  width = 0,
): Line {
  if (message !== undefined && isMessageShown(message, now)) {
    const { text, tone, unread } = message;
    const styled = tone === 'plain' ? plain(text) : [span(text, tone)];
    const line =
      unread === undefined ? styled : [...styled, span(` ${unread} more: :history`, 'bad')];
    if (reach.kind !== 'away') return line;
    const { error, since } = reach;
    const wait = `No answer for ${formatWait(now - since)}.`;
    const whole = [...line, span(` ${error.status === undefined ? wait : error.sentence}`, 'bad')];
    return lineWidth(whole) <= width ? whole : line;
  }
  if (reach.kind !== 'away') return [];
  const { error, since } = reach;
  if (error.status !== undefined) return [span(`${error.sentence} ${error.next}`.trimEnd(), 'bad')];
  const wait = `No answer for ${formatWait(now - since)}.`;
  const whole = `${wait} Reading and editing work; nothing is sent. ${keyName('app.refetch-anywhere', 'F5')} retries.`;
  return [
    span(
      whole.length <= width ? whole : `${wait} ${keyName('app.refetch-anywhere', 'F5')} retries.`,
      'bad',
    ),
  ];
}

/** Wraps a message into a row of `width` cells and, if it does not fit, a second row. */
export function messageRows(message: Line, width: number): readonly [Line, Line?] {
  const [first = [], second, ...more] = wrapWords(headOfLine(message, 3 * width), width);
  if (second === undefined) return [first];
  return [first, [second, ...more].flatMap((row) => row.concat(span(' ')))];
}
