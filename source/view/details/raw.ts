import type { DecodedRecord } from '../../store/lists/listing.ts';
import { colouredLine } from '../text/coloured-line.ts';
import { textRows, valueIn } from '../text/detail-rows.ts';
import { indentedJson } from '../text/indented-json.ts';
import { span } from '../text/line.ts';
import { rememberedRows } from '../text/remembered-rows.ts';

/**
 * The JSON of a record, and whether it is the answer as it came: a record that came in a list is
 * put together again from what was read of it.
 */
export function rawText(read: DecodedRecord<object>): {
  readonly text: string;
  readonly came: boolean;
} {
  if (read.answer !== undefined) return { text: read.answer, came: true };
  return { text: JSON.stringify({ ...read.value, ...read.unknown }), came: false };
}

/** What was drawn last: a key asks for it several times, and an answer may be long. */
const shown = new WeakMap<DecodedRecord<object>, string>();

/** What is drawn of it: one value a line. */
export function rawShown(read: DecodedRecord<object>): string {
  const text = shown.get(read) ?? indentedJson(rawText(read).text);
  shown.set(read, text);
  return text;
}

export const rawDetails = rememberedRows((read, colours) => {
  const { text, came } = rawText(read);
  const note = came ? 'The answer as it came; Y copies it whole.' : 'As read from the list.';
  const lines = rawShown(read).split('\n');
  const lineOf = (line: string, index: number) => colouredLine(line, colours?.[index]);
  return [
    { key: 'note', line: [span(note, 'quiet')], whole: text },
    ...textRows('raw', lines, text, lineOf, valueIn),
  ];
});
