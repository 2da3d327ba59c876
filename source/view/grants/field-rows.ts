import { expiryText } from '../../store/grants/expiry.ts';
import { type GrantField, type GrantForm, isField } from '../../store/grants/form.ts';
import type { ParsedGrantForm } from '../../store/grants/form-reading.ts';
import { type Grantee, isPlainAddress } from '../../store/grants/grantees.ts';
import { cellWidth } from '../../terminal/screen/cells.ts';
import { sanitize } from '../../terminal/screen/sanitize.ts';
import { lineWidth, wrapWords } from '../text/fit.ts';
import { choiceRows } from './choice-rows.ts';
import { rowWeights, type WeighedRow } from './form-row.ts';
import { type Line, plain, span } from '../text/line.ts';
import type { Token } from '../text/theme.ts';

const labels: Readonly<Record<GrantField, string>> = {
  to: 'To',
  limit: 'Limit',
  until: 'Until',
};
const labelWidth = 8;
/** Minimum width of a field's text before its note, in cells. */
const minTextWidth = 10;

/** Returns the label of a field, padded. */
export function fieldLabel(field: GrantField): string {
  return labels[field].padEnd(labelWidth);
}

/** Returns the row of a field without the focus. */
export function restingField(field: GrantField, text: string): Line {
  return plain(`${fieldLabel(field)}${text}`);
}

/** A hint or an error behind a field or below it. */
interface Note {
  readonly text: string;
  readonly token?: Token | undefined;
}

function fieldRows(
  form: GrantForm,
  field: GrantField,
  note: Note | undefined,
  width: number,
): readonly WeighedRow[] {
  const isHere = form.stop === field;
  const weight = isHere ? rowWeights.focused : rowWeights.field;
  const noteWeight = isHere ? rowWeights.nearFocused : rowWeights.note;
  const line = note === undefined ? [] : [span(note.text, note.token)];
  const text = Math.max(minTextWidth, cellWidth(sanitize(form.lines[field].text)) + 2);
  const fits = labelWidth + text + lineWidth(line) <= width;
  if (note !== undefined && fits) {
    return [{ kind: 'field', field, width: labelWidth + text, note: line, weight }];
  }
  const below = note === undefined ? [] : belowField(note, width, noteWeight);
  return [{ kind: 'field', field, width, note: [], weight }, ...below];
}

/** Returns rows below the text of a field; in a narrow box they start below its label. */
function belowField(note: Note, width: number, weight: number): readonly WeighedRow[] {
  const indent = width < 50 ? 0 : labelWidth;
  return wrapWords([span(note.text, note.token)], width - indent).map((line) => ({
    kind: 'text',
    line: [span(' '.repeat(indent)), ...line],
    weight,
  }));
}

/** Returns the grantee field, with suggestions or the address that the text stands for. */
export function granteeRows(
  form: GrantForm,
  { to }: ParsedGrantForm,
  choices: readonly Grantee[],
  width: number,
): readonly WeighedRow[] {
  const [field] = fieldRows(form, 'to', undefined, width);
  if (field === undefined) return [];
  const { text } = form.lines.to;
  if (choices.length > 0) return [field, ...choiceRows(choices, form.row, to)];
  if (!to.ok) {
    const note = isUntouched(form, 'to')
      ? undefined
      : ({ text: to.problem, token: 'bad' } as const);
    const weight = form.stop === 'to' ? rowWeights.nearFocused : rowWeights.note;
    return [field, ...(note === undefined ? [] : belowField(note, width, weight))];
  }
  const { address } = to.grantee;
  const isShown = text.trim() === address && cellWidth(address) < width - labelWidth;
  const addressRows = isShown ? [] : belowField({ text: address }, width, rowWeights.address);
  const warning = isPlainAddress(address)
    ? 'This address is new here.'
    : 'No known name; used as an address.';
  const warningRows = to.isNew
    ? belowField({ text: warning, token: 'busy' }, width, rowWeights.note)
    : [];
  // The address below says more than the text, so the text yields first.
  const isNamed = !isField(form.stop) && addressRows.length > 0;
  return [
    { ...field, weight: isNamed ? rowWeights.named : field.weight },
    ...addressRows,
    ...warningRows,
  ];
}

/** Returns whether a field may still be incomplete, so that its error is not shown yet. */
function isUntouched({ left, stop }: GrantForm, field: GrantField): boolean {
  return isField(stop) && !left.includes(field);
}

function limitNote(form: GrantForm, { limit }: ParsedGrantForm): Note | undefined {
  if (limit.ok || isUntouched(form, 'limit')) return undefined;
  return { text: limit.problem, token: 'bad' };
}

function untilNote(form: GrantForm, { until }: ParsedGrantForm): Note | undefined {
  if (until.ok) return { text: expiryText(until.at) };
  if (!isUntouched(form, 'until')) return { text: until.problem, token: 'bad' };
  const isStarted = form.stop !== 'until' || form.lines.until.text !== '';
  return isStarted ? undefined : { text: 'such as 30d, 12h, 2w, 90m, 2026-12-24', token: 'quiet' };
}

/** Returns the limit field with its error. */
export function limitRows(
  form: GrantForm,
  reading: ParsedGrantForm,
  width: number,
): readonly WeighedRow[] {
  return fieldRows(form, 'limit', limitNote(form, reading), width);
}

export function untilRows(
  form: GrantForm,
  reading: ParsedGrantForm,
  width: number,
): readonly WeighedRow[] {
  return fieldRows(form, 'until', untilNote(form, reading), width);
}
