import { keyName } from '../../store/prompts/key-names.ts';
import { colouredLine } from '../text/coloured-line.ts';
import { textRows, valueIn } from '../text/detail-rows.ts';
import { indentedJson } from '../text/indented-json.ts';
import { span } from '../text/line.ts';
import { rememberedRows } from '../text/remembered-rows.ts';
import type { DecodedRecord } from '../../client/decode/fields.ts';

/**
 * Returns the JSON of a record: the original answer, or, for a record of a list, JSON that is encoded
 * again from the decoded fields.
 */
export function jsonText(read: DecodedRecord<object>): {
  readonly text: string;
  readonly isOriginal: boolean;
} {
  if (read.answer !== undefined) return { text: read.answer, isOriginal: true };
  return { text: JSON.stringify({ ...read.value, ...read.unknown }), isOriginal: false };
}

/** Cache of formatted JSON: one key needs it several times, and an answer may be long. */
const formattedCache = new WeakMap<DecodedRecord<object>, string>();

/** Returns the JSON of a record with one value in each line. */
export function formattedJson(read: DecodedRecord<object>): string {
  const text = formattedCache.get(read) ?? indentedJson(jsonText(read).text);
  formattedCache.set(read, text);
  return text;
}

export const jsonDetails = rememberedRows((read, colours) => {
  const { text, isOriginal } = jsonText(read);
  const note = isOriginal
    ? `Original answer; ${keyName('details.copy-field', 'Y')} copies it.`
    : 'From the list.';
  const lines = formattedJson(read).split('\n');
  const lineOf = (line: string, index: number) => colouredLine(line, colours?.[index]);
  return [
    { key: 'note', line: [span(note, 'quiet')], whole: text },
    ...textRows('raw', lines, text, lineOf, valueIn),
  ];
});
