import { bisect } from '../../tail/arena/bisect.ts';
import type { TextSpan } from '../../tail/query/log-query.ts';
import { stripSilentCodes } from '../../tail/silent-codes.ts';
import { type JsonPair, jsonPairs, type JsonToken } from './json-pairs.ts';
import type { Line, Span } from './line.ts';
import type { Token } from './theme.ts';

/** A piece of the drawn record. */
interface Piece {
  readonly text: string;
  readonly token: Token | undefined;
  /** The offsets in the raw text that it stands for. */
  readonly source?: TextSpan;
}

const blank: Piece = { text: ' ', token: undefined };

const levelKeys = new Set([
  'level',
  'lvl',
  'severity',
  'levelname',
  'level_name',
  'log.level',
  '@l',
]);
const messageKeys = new Set(['msg', 'message', 'event', '@m', '@mt']);
const timeKeys = new Set(['time', 'ts', 'timestamp', '@timestamp', '@t', 'datetime']);

/** Names of pino's and bunyan's numbers. */
const levelNames: Readonly<Record<string, string>> = {
  10: 'TRACE',
  20: 'DEBUG',
  30: 'INFO',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL',
};

/** A string that needs no quotes between other pairs. */
const bare = /^[^\s"\\=]+$/;

/**
 * Returns a JSON record as level, message and `key=value`, with the keys quiet. Lists, objects and
 * strings with spaces stay as they are written.
 * @param marks the matches of a search in the raw text.
 * @param token colour of the level, the message and the values.
 * @param hasTime true when the time of the record is shown elsewhere.
 * @returns undefined when the text is no record, or when a match would not be visible.
 */
export function jsonRecord(
  text: string,
  marks: readonly TextSpan[],
  token: Token | undefined,
  hasTime: boolean,
): Line | undefined {
  const pairs = jsonPairs(text);
  if (pairs === undefined) return undefined;
  const level = pairs.find(isLevel);
  const message = pairs.find(
    ({ key, value }) => messageKeys.has(key.text) && value.isString && value.text !== '',
  );
  const others = pairs.filter(
    (pair) => pair !== level && pair !== message && !(hasTime && isTime(pair)),
  );
  const pieces = [
    ...(level === undefined ? [] : [blank, levelPiece(level.value, token)]),
    ...(message === undefined ? [] : [blank, messagePiece(message.value, token)]),
    ...others.flatMap((pair) => pairPieces(pair, token)),
  ];
  return highlighted(pieces.slice(1), marks);
}

function isLevel({ key, value }: JsonPair): boolean {
  if (!levelKeys.has(key.text.toLowerCase())) return false;
  return value.isString ? /^\w+$/.test(plainString(value)) : /^\d+$/.test(value.text);
}

const isTime = ({ key, value }: JsonPair): boolean =>
  timeKeys.has(key.text.toLowerCase()) && (value.isString || /^[\d.]+$/.test(value.text));

function levelPiece(value: JsonToken, token: Token | undefined): Piece {
  const text = plainString(value);
  const { from, to } = value;
  return { text: levelNames[text] ?? text.toUpperCase(), token, source: [from, to] };
}

function messagePiece(value: JsonToken, token: Token | undefined): Piece {
  return { text: plainString(value), token, source: [value.from, value.to] };
}

/** Returns a string without escapes and without the colours that a logger has put into it. */
function plainString({ text }: JsonToken): string {
  return text.includes('\\') ? stripSilentCodes(unescaped(text)) : text;
}

function unescaped(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`));
  } catch {
    return text;
  }
}

function pairPieces({ key, value }: JsonPair, token: Token | undefined): readonly Piece[] {
  const isBare = !value.isString || bare.test(value.text);
  const quote: Piece = { text: '"', token };
  const own: Piece = { text: value.text, token, source: [value.from, value.to] };
  return [
    blank,
    { text: key.text, token: 'quiet', source: [key.from, key.to] },
    { text: '=', token: 'quiet' },
    ...(isBare ? [own] : [quote, own, quote]),
  ];
}

/** Marks the matches; undefined when no piece stands for one of them. */
function highlighted(pieces: readonly Piece[], marks: readonly TextSpan[]): Line | undefined {
  const shown = new Set<TextSpan>();
  const spans = pieces.flatMap((piece) => {
    const { source } = piece;
    const plain = [{ text: piece.text, token: piece.token }];
    if (source === undefined || source[0] === source[1]) return plain;
    const inside: TextSpan[] = [];
    const first = bisect(marks.length, (at) => (marks[at]?.[1] ?? 0) <= source[0]);
    for (let at = first; at < marks.length; at += 1) {
      const mark = marks[at];
      if (mark === undefined || mark[0] >= source[1]) break;
      inside.push(mark);
      shown.add(mark);
    }
    return inside.length === 0 ? plain : cut(piece, inside);
  });
  return shown.size === marks.length ? spans : undefined;
}

/** Cuts a piece at the matches inside; one that is drawn otherwise than it is written, as a whole. */
function cut({ text, token, source }: Piece, marks: readonly TextSpan[]): readonly Span[] {
  const [from = 0, to = 0] = source ?? [];
  if (text.length !== to - from) return [{ text, token: 'match' }];
  const spans: Span[] = [];
  let done = 0;
  for (const [start, end] of marks) {
    const [first, last] = [Math.max(done, start - from), Math.min(end, to) - from];
    if (first > done) spans.push({ text: text.slice(done, first), token });
    if (last > first) spans.push({ text: text.slice(first, last), token: 'match' });
    done = Math.max(done, last);
  }
  if (done < text.length) spans.push({ text: text.slice(done), token });
  return spans;
}
