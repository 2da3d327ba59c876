import { ageSince } from './age.ts';
import { column } from './fit.ts';
import { stringEnd } from './indented-json.ts';
import { type Line, plain, span } from './line.ts';
import type { Token } from './theme.ts';

/** A row of Details. The cursor holds its key: what a row says may change under it. */
export interface DetailRow {
  readonly key: string;
  readonly line: Line;
  /** What `y` copies; nothing where it is undefined. */
  readonly value?: string | undefined;
  /** What `Y` copies: the whole field that the row is a part of; `value` where it is undefined. */
  readonly whole?: string | undefined;
}

/** A field of one value. @param shown what the row says of it, where that is more. */
export function field(name: string, value: string, shown = value, token?: Token): DetailRow {
  return { key: name, line: [span(column(name, 12), 'quiet'), span(shown, token)], value };
}

export function optional(name: string, value: string | undefined): readonly DetailRow[] {
  return value === undefined ? [] : [field(name, value)];
}

/** A point in time with its age at `now` ms. */
export function moment(
  name: string,
  timestamp: string | undefined,
  now: number,
): readonly DetailRow[] {
  if (timestamp === undefined) return [];
  const age = ageSince(timestamp, now);
  return [field(name, timestamp, age === '' ? timestamp : `${timestamp}  ${age} ago`)];
}

/** A blank row and a heading. */
export function heading(name: string, whole: string): readonly DetailRow[] {
  return [
    { key: `before ${name}`, line: [] },
    { key: `heading ${name}`, line: [span(name, 'focus')], value: whole },
  ];
}

/** Fields we have no name for, so that nothing a service says is hidden. */
export function unknownFields(unknown: Readonly<Record<string, unknown>>): readonly DetailRow[] {
  const rows = jsonFields('other', unknown, '  ');
  return rows.length === 0 ? [] : [...heading('other fields', jsonText(unknown)), ...rows];
}

/** Characters of JSON up to which a value stands in one row. */
const shortest = 40;

/** Fields as the service sent them, a row for each line of their JSON. */
export function jsonFields(
  of: string,
  fields: Readonly<Record<string, unknown>>,
  indent: string,
): readonly DetailRow[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const whole = jsonText(value);
    const short = JSON.stringify(value) ?? '';
    const [first = '', ...rest] = short.length <= shortest ? [short] : whole.split('\n');
    const key = `${of} ${name}`;
    const head: DetailRow = {
      key,
      line: [span(column(`${indent}${name}`, 12 + indent.length), 'quiet'), span(first)],
      value: rest.length === 0 ? valueIn(first) : name,
      whole,
    };
    const lines = textRows(key, rest, whole, (text) => plain(`${indent}  ${text}`), valueIn);
    return [head].concat(lines);
  });
}

/** The rows of a longer text, one a line; `lineOf` draws one, `valueOf` is what is copied of it. */
export function textRows(
  key: string,
  lines: readonly string[],
  whole: string,
  lineOf: (text: string, index: number) => Line,
  valueOf = (text: string) => text,
): readonly DetailRow[] {
  return lines.map((text, index) => ({
    key: `${key} ${index}`,
    line: lineOf(text, index),
    value: valueOf(text),
    whole,
  }));
}

/** The value in a line of indented JSON, a text without its quotes: of `"port": 80,` it is `80`. */
export function valueIn(line: string): string {
  const text = line.trimStart().replace(/,$/, '');
  const end = text.startsWith('"') ? stringEnd(text, 0) : 0;
  const value = end > 0 && text.startsWith(': ', end) ? text.slice(end + 2) : text;
  try {
    const json: unknown = JSON.parse(value);
    return typeof json === 'string' ? json : value;
  } catch {
    return value;
  }
}

function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? 'undefined';
}
