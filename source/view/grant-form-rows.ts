import {
  type GrantField,
  type GrantForm,
  type GrantReading,
  isField,
  orderOf,
} from '../store/grant-form.ts';
import { expiryText } from '../store/grant-expiry.ts';
import { likeSentence, termsSentences } from '../store/grant-sentences.ts';
import { type Grantee, looksLikeAddress, type ReadGrantee } from '../store/grantees.ts';
import { cellWidth } from '../terminal/cells.ts';
import { sanitize } from '../terminal/sanitize.ts';
import { column, lineWidth, wrapWords } from './fit.ts';
import { type Line, plain, span } from './line.ts';
import { firstShown, fitButtons } from './question-lines.ts';
import type { Token } from './theme.ts';

/** A row of the form: a field with what stands behind it, one of those to choose from, or text. */
export type FormRow =
  | {
      readonly kind: 'field';
      readonly field: GrantField;
      /** Cells of the label and the text. */
      readonly width: number;
      readonly note: Line;
    }
  | {
      readonly kind: 'choice';
      readonly grantee: Grantee;
      readonly chosen: boolean;
      /** It is nobody known, but what was typed itself. */
      readonly typed: boolean;
    }
  | { readonly kind: 'text'; readonly line: Line };

/** What of a row stays in a low terminal: the highest weights. */
type Weighed = FormRow & { readonly weight: number };

const weights = {
  buttons: 10,
  focused: 9,
  aboutFocused: 8,
  address: 7,
  refused: 7,
  field: 6,
  note: 5,
  choice: 4,
  named: 4,
  terms: 3,
  moreTerms: 2,
  blank: 1,
};

const labels: Readonly<Record<GrantField, string>> = {
  to: 'To',
  limit: 'Limit',
  until: 'Until',
};
const labelWidth = 8;
/** Cells of a field's text before what stands behind it, at least. */
const textWidth = 10;
const mostChoices = 5;

/** What stands before the text of a field. */
export function fieldLabel(field: GrantField): string {
  return labels[field].padEnd(labelWidth);
}

/**
 * The rows of the form, `width` cells wide and no more than `room` of them. The field that keys go
 * to and the buttons are always among them.
 */
export function grantFormRows(
  form: GrantForm,
  reading: GrantReading,
  choices: readonly Grantee[],
  width: number,
  room: number,
): readonly FormRow[] {
  const rows: readonly Weighed[] = [
    ...toRows(form, reading, choices, width),
    ...fieldRows(form, 'limit', limitNote(form, reading), width),
    ...fieldRows(form, 'until', untilNote(form, reading), width),
    blank,
    ...texts(form.refused, width, weights.refused, 'bad'),
    ...termsRows(form, reading, width),
    blank,
    { kind: 'text', line: buttonsLine(form, reading, width), weight: weights.buttons },
  ];
  return heaviest(withoutDoubleBlanks(rows), room);
}

const blank: Weighed = { kind: 'text', line: [], weight: weights.blank };

function withoutDoubleBlanks(rows: readonly Weighed[]): readonly Weighed[] {
  return rows.filter((row, index) => row !== blank || rows[index - 1] !== blank);
}

/** As many rows as there is room for: of the lightest the last ones go first. */
function heaviest(rows: readonly Weighed[], room: number): readonly Weighed[] {
  let kept = rows;
  while (kept.length > Math.max(room, 2)) {
    const least = Math.min(...kept.map(({ weight }) => weight));
    const at = kept.findLastIndex(({ weight }) => weight === least);
    kept = kept.filter((_, index) => index !== at);
  }
  return kept;
}

function texts(
  text: string | undefined,
  width: number,
  weight: number,
  token?: Token,
): readonly Weighed[] {
  if (text === undefined) return [];
  return wrapWords([span(text, token)], width).map((line) => ({ kind: 'text', line, weight }));
}

/** Something said behind a field or below it. */
interface Note {
  readonly text: string;
  readonly token?: Token | undefined;
}

function fieldRows(
  form: GrantForm,
  field: GrantField,
  note: Note | undefined,
  width: number,
): readonly Weighed[] {
  const isHere = form.stop === field;
  const weight = isHere ? weights.focused : weights.field;
  const noteWeight = isHere ? weights.aboutFocused : weights.note;
  const line = note === undefined ? [] : [span(note.text, note.token)];
  const text = Math.max(textWidth, cellWidth(sanitize(form.lines[field].text)) + 2);
  const fits = labelWidth + text + lineWidth(line) <= width;
  if (note !== undefined && fits) {
    return [{ kind: 'field', field, width: labelWidth + text, note: line, weight }];
  }
  const below = note === undefined ? [] : belowField(note, width, noteWeight);
  return [{ kind: 'field', field, width, note: [], weight }, ...below];
}

/** Rows under the text of a field; in a narrow box under its label too. */
function belowField(note: Note, width: number, weight: number): readonly Weighed[] {
  const indent = width < 50 ? 0 : labelWidth;
  return wrapWords([span(note.text, note.token)], width - indent).map((line) => ({
    kind: 'text',
    line: [span(' '.repeat(indent)), ...line],
    weight,
  }));
}

function toRows(
  form: GrantForm,
  { to }: GrantReading,
  choices: readonly Grantee[],
  width: number,
): readonly Weighed[] {
  const [field] = fieldRows(form, 'to', undefined, width);
  if (field === undefined) return [];
  const { text } = form.lines.to;
  if (choices.length > 0) return [field, ...choiceRows(choices, form.row, to)];
  if (!to.ok) {
    const note = isEarly(form, 'to') ? undefined : ({ text: to.problem, token: 'bad' } as const);
    const weight = form.stop === 'to' ? weights.aboutFocused : weights.note;
    return [field, ...(note === undefined ? [] : belowField(note, width, weight))];
  }
  const { address } = to.grantee;
  const isSeen = text.trim() === address && cellWidth(address) < width - labelWidth;
  const told = isSeen ? [] : belowField({ text: address }, width, weights.address);
  const warning = looksLikeAddress(address)
    ? 'This address was not seen here before.'
    : 'Taken as an address: nobody known has this name.';
  const warned = to.isNew ? belowField({ text: warning, token: 'busy' }, width, weights.note) : [];
  // Its text says less than the address below it.
  const isNamed = !isField(form.stop) && told.length > 0;
  return [{ ...field, weight: isNamed ? weights.named : field.weight }, ...told, ...warned];
}

function choiceRows(choices: readonly Grantee[], row: number, to: ReadGrantee): readonly Weighed[] {
  const room = Math.min(choices.length, mostChoices);
  const first = firstShown(Math.max(0, row), choices.length, room);
  return choices.slice(first, first + room).map((grantee, index) => {
    const chosen = first + index === row;
    return {
      kind: 'choice',
      grantee,
      chosen,
      typed: to.ok && to.isNew && grantee.address === to.grantee.address,
      weight: chosen ? weights.aboutFocused : weights.choice,
    };
  });
}

/** Whether it is too early to say what is wrong with a field. */
function isEarly({ left, stop }: GrantForm, field: GrantField): boolean {
  return isField(stop) && !left.includes(field);
}

function limitNote(form: GrantForm, { limit }: GrantReading): Note | undefined {
  if (limit.ok || isEarly(form, 'limit')) return undefined;
  return { text: limit.problem, token: 'bad' };
}

function untilNote(form: GrantForm, { until }: GrantReading): Note | undefined {
  if (until.ok) return { text: expiryText(until.at) };
  if (!isEarly(form, 'until')) return { text: until.problem, token: 'bad' };
  const isStarted = form.stop !== 'until' || form.lines.until.text !== '';
  return isStarted ? undefined : { text: 'like 30d, 12h, 2w, 90m, 2026-12-24', token: 'quiet' };
}

function termsRows(form: GrantForm, reading: GrantReading, width: number): readonly Weighed[] {
  const order = orderOf(reading);
  const like = form.like === undefined ? undefined : likeSentence(form.like);
  const before = texts(like, width, weights.moreTerms);
  if (order === undefined) return before;
  const [terms, more] = termsSentences(order);
  return [
    ...texts(terms, width, weights.terms),
    ...texts(more, width, weights.moreTerms),
    ...before,
  ];
}

function buttonsLine(form: GrantForm, reading: GrantReading, width: number): Line {
  const isWhole = orderOf(reading) !== undefined;
  const button = (label: string, isHere: boolean, isAlive: boolean) =>
    span(isHere ? `[${label}]` : label, isHere && isAlive ? 'focus' : undefined);
  const back = form.stop !== 'grant';
  const buttons = [
    button('Back', back, form.stop === 'back'),
    span('   '),
    button('Grant', !back, isWhole),
    span(isWhole ? '' : ' (not filled in yet)'),
  ];
  return fitButtons(buttons, back ? 0 : 2, width);
}

const nameWidth = 14;

type Choice = Extract<FormRow, { kind: 'choice' }>;

/**
 * Somebody to choose: the name, where there is one, and the whole address. Where that does not fit,
 * both its ends: it is whole once it is chosen.
 */
export function choiceText(choice: Choice, width: number): string {
  const { name, address } = choice.grantee;
  if (choice.typed) return `${address} (as an address)`;
  const head = name === undefined ? '' : column(name, nameWidth);
  const room = width - nameWidth * Number(name !== undefined) - 2;
  if (address.length <= room) return head + address;
  return `${head}${address.slice(0, Math.max(4, room - lastDigits - 2))}..${address.slice(-lastDigits)}`;
}

const lastDigits = 6;

/** A field that keys do not go to. */
export function restingField(field: GrantField, text: string): Line {
  return plain(`${fieldLabel(field)}${text}`);
}
