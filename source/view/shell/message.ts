import { type Message, messageLife, staysUntilEscape } from '../../store/deck/screen/message.ts';
import type { Reach } from '../../store/lists/reach.ts';
import { formatWait } from '../text/age.ts';
import { headOfLine, lineWidth, wrapWords } from '../text/fit.ts';
import { type Line, plain, span } from '../text/line.ts';

/**
 * The row above the keys, of `width` cells: what just happened, else that the service is away. A
 * message gives way after 5 s; a bad one stays until Esc. That the service is away stands behind it
 * where there is room.
 */
export function messageLine(
  message: Message | undefined,
  reach: Reach,
  host: string,
  now: number,
  width = 0,
): Line {
  if (message !== undefined && (staysUntilEscape(message) || now - message.at < messageLife)) {
    const { text, tone, unread } = message;
    const said = tone === 'plain' ? plain(text) : [span(text, tone)];
    const line = unread === undefined ? said : [...said, span(` (+${unread}, :history)`, 'bad')];
    if (reach.kind !== 'away') return line;
    const { error, since } = reach;
    const wait = `No answer for ${formatWait(now - since)}.`;
    const whole = [...line, span(` ${error.status === undefined ? wait : error.sentence}`, 'bad')];
    return lineWidth(whole) <= width ? whole : line;
  }
  if (reach.kind !== 'away') return [];
  const { error, since } = reach;
  if (error.status !== undefined) return [span(`${error.sentence} ${error.next}`, 'bad')];
  const wait = formatWait(now - since);
  return [span(`No answer from ${host} for ${wait}. Retrying by itself; F5 tries now.`, 'bad')];
}

/** The words in a row of `width` cells, and what does not fit it in a second. */
export function messageRows(said: Line, width: number): readonly [Line, Line?] {
  const [first = [], second, ...more] = wrapWords(headOfLine(said, 3 * width), width);
  if (second === undefined) return [first];
  return [first, [second, ...more].flatMap((row) => row.concat(span(' ')))];
}
