import type { LocalPlace } from '../../store/drafts/places.ts';
import { ageSince } from '../../store/time/age.ts';
import { localMinuteText } from '../../store/time/time-of-day.ts';
import { column, lineWidth } from './fit.ts';
import { stringEnd } from './indented-json.ts';
import { type Line, plain, span } from './line.ts';
import type { Token } from './theme.ts';

/** A row of Details. The cursor stores its key, because the text of a row may change. */
export interface DetailRow {
  readonly key: string;
  readonly line: Line;
  /** The same with fewer cells, for a pane too narrow for `line`: what operators read first is kept. */
  readonly short?: Line;
  /** Text that `y` copies; `y` does nothing when it is undefined. */
  readonly value?: string | undefined;
  /** Text of the whole field, which `Y` copies; defaults to `value`. */
  readonly whole?: string | undefined;
  /** The place in a file of a service that Enter opens in the editor. */
  readonly code?: LocalPlace & { readonly line: number };
}

/** Returns the row of a field with one value. @param shown Text to draw instead of the value. */
export function field(name: string, value: string, shown = value, token?: Token): DetailRow {
  return { key: name, line: fieldLine(name, shown, token), value };
}

/** Returns the line of a field. */
export function fieldLine(name: string, shown: string, token?: Token): Line {
  return [span(column(name, 12), 'quiet'), span(shown, token)];
}

/** Returns the line of a row that is drawn unwrapped in so many cells. */
export function lineWithin({ line, short }: DetailRow, cells: number): Line {
  return short !== undefined && lineWidth(line) > cells ? short : line;
}

export function optional(name: string, value: string | undefined): readonly DetailRow[] {
  return value === undefined ? [] : [field(name, value)];
}

/** Returns the row of a timestamp with its age at `now` ms. */
export function moment(
  name: string,
  timestamp: string | undefined,
  now: number,
): readonly DetailRow[] {
  if (timestamp === undefined) return [];
  const age = ageSince(timestamp, now);
  return [age === '' ? field(name, timestamp) : timeRow(name, timestamp, `${age} ago`)];
}

/** Returns the row of a valid timestamp with its distance from now: `3d ago`, `in 2h`. */
export function timeRow(name: string, timestamp: string, distance: string): DetailRow {
  return {
    ...field(name, timestamp, `${timestamp}  ${distance}`),
    short: fieldLine(name, `${localMinuteText(Date.parse(timestamp))}, ${distance}`),
  };
}

/** Returns a blank row and a heading. */
export function heading(name: string, whole: string): readonly DetailRow[] {
  return [
    { key: `before ${name}`, line: [] },
    { key: `heading ${name}`, line: [span(name, 'focus')], value: whole },
  ];
}

/** Returns rows for the fields that hostdeck has no names for, so that no field is hidden. */
export function unknownFields(unknown: Readonly<Record<string, unknown>>): readonly DetailRow[] {
  const rows = jsonFields('other', unknown, '  ');
  return rows.length === 0 ? [] : [...heading('other fields', jsonText(unknown)), ...rows];
}

/** Characters of the longest JSON value that fits one row. */
const longestInline = 40;

/** Returns a row for each line of the JSON of fields. @param group Prefix of the row keys. */
export function jsonFields(
  group: string,
  fields: Readonly<Record<string, unknown>>,
  indent: string,
): readonly DetailRow[] {
  return Object.entries(fields).flatMap(([name, value]) => {
    const whole = jsonText(value);
    const short = JSON.stringify(value) ?? '';
    const [first = '', ...rest] = short.length <= longestInline ? [short] : whole.split('\n');
    const key = `${group} ${name}`;
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

/** Returns one row per line of a text; `lineOf` draws the line, `valueOf` returns its copied text. */
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

/** Returns the value in a line of indented JSON, strings unquoted: `80` for `"port": 80,`. */
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
