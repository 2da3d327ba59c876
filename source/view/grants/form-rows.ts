import type { GrantForm } from '../../store/grants/form.ts';
import { type ParsedGrantForm, completeGrant } from '../../store/grants/form-reading.ts';
import { copySentence, termsSentences } from '../../store/grants/sentences.ts';
import type { Grantee } from '../../store/grants/grantees.ts';
import { wrapWords } from '../text/fit.ts';
import { limitRows, toRows, untilRows } from './field-rows.ts';
import { type FormRow, rowWeights, type WeighedRow } from './form-row.ts';
import { type Line, span } from '../text/line.ts';
import { fitButtons } from '../text/confirm-lines.ts';
import type { Token } from '../text/theme.ts';

/** Rows of a refusal: a service may say as much as it likes. The message row has it too. */
const mostRefused = 4;

/**
 * The rows of the form, `width` cells wide and no more than `room` of them. The field that keys go
 * to and the buttons are always among them.
 */
export function grantFormRows(
  form: GrantForm,
  reading: ParsedGrantForm,
  choices: readonly Grantee[],
  width: number,
  room: number,
): readonly FormRow[] {
  const rows: readonly WeighedRow[] = [
    ...toRows(form, reading, choices, width),
    ...limitRows(form, reading, width),
    ...untilRows(form, reading, width),
    blank,
    ...texts(form.refused, width, rowWeights.refused, 'bad').slice(0, mostRefused),
    ...termsRows(form, reading, width),
    blank,
    { kind: 'text', line: buttonsLine(form, reading, width), weight: rowWeights.buttons },
  ];
  return heaviest(withoutDoubleBlanks(rows), room);
}

const blank: WeighedRow = { kind: 'text', line: [], weight: rowWeights.blank };

function withoutDoubleBlanks(rows: readonly WeighedRow[]): readonly WeighedRow[] {
  return rows.filter((row, index) => row !== blank || rows[index - 1] !== blank);
}

/** As many rows as there is room for: of the lightest the last ones go first. */
function heaviest(rows: readonly WeighedRow[], room: number): readonly WeighedRow[] {
  let kept = rows;
  while (kept.length > Math.max(room, 2)) {
    const least = Math.min(...kept.map(({ weight }) => weight));
    const at = kept.findLastIndex(({ weight }) => weight === least);
    const whole = kept[at]?.of;
    kept = kept.filter((row, index) => index !== at && (whole === undefined || row.of !== whole));
  }
  return kept;
}

function texts(
  text: string | undefined,
  width: number,
  weight: number,
  token?: Token,
): readonly WeighedRow[] {
  if (text === undefined) return [];
  return wrapWords([span(text, token)], width).map((line) => ({ kind: 'text', line, weight }));
}

/** Rows of a sentence that all stay, or none. */
function whole(rows: readonly WeighedRow[], sentence = ''): readonly WeighedRow[] {
  return rows.map((row) => ({ ...row, of: sentence }));
}

function termsRows(
  form: GrantForm,
  reading: ParsedGrantForm,
  width: number,
): readonly WeighedRow[] {
  const order = completeGrant(reading);
  const like = form.like === undefined ? undefined : copySentence(form.like);
  const before = whole(texts(like, width, rowWeights.moreTerms), like);
  if (order === undefined) return before;
  const [terms, more] = termsSentences(order);
  return [
    ...whole(texts(terms, width, rowWeights.terms), terms),
    ...whole(texts(more, width, rowWeights.moreTerms), more),
    ...before,
  ];
}

function buttonsLine(form: GrantForm, reading: ParsedGrantForm, width: number): Line {
  const isWhole = completeGrant(reading) !== undefined;
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
