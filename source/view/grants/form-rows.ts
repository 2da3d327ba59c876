import type { GrantForm } from '../../store/grants/form.ts';
import { type ParsedGrantForm, completeGrant } from '../../store/grants/form-reading.ts';
import { copySentence, termsSentences } from '../../store/grants/sentences.ts';
import type { Grantee } from '../../store/grants/grantees.ts';
import { wrapWords } from '../text/fit.ts';
import { choiceRows } from './choice-rows.ts';
import { limitRows, granteeRows, untilRows } from './field-rows.ts';
import { type FormRow, rowWeights, type WeighedRow } from './form-row.ts';
import { type Line, span } from '../text/line.ts';
import type { Token } from '../text/theme.ts';

/** Maximum rows of a refusal, whose text comes from the service. The message row shows it too. */
const maxRefusalRows = 4;

/**
 * Returns at most `room` rows of the form, `width` cells wide. The focused field and the buttons are
 * always among them.
 */
export function grantFormRows(
  form: GrantForm,
  parsed: ParsedGrantForm,
  choices: readonly Grantee[],
  width: number,
  room: number,
): readonly FormRow[] {
  const rows: readonly WeighedRow[] = [
    ...granteeRows(form, parsed, choices, width),
    ...limitRows(form, parsed, width),
    ...untilRows(form, parsed, width),
    blank,
    ...texts(form.refused, width, rowWeights.refused, 'bad').slice(0, maxRefusalRows),
    ...termsRows(form, parsed, width),
    blank,
    { kind: 'text', line: buttonsLine(form, parsed, width), weight: rowWeights.buttons },
  ];
  const fitting = rowsThatFit(withoutDoubleBlanks(rows), room);
  // Lighter suggestions between the first and the chosen one may be missing.
  const first = fitting.findIndex(({ kind }) => kind === 'choice');
  const count = fitting.filter(({ kind }) => kind === 'choice').length;
  return fitting.toSpliced(first, count, ...choiceRows(choices, form.row, parsed.to, count));
}

const blank: WeighedRow = { kind: 'text', line: [], weight: rowWeights.blank };

function withoutDoubleBlanks(rows: readonly WeighedRow[]): readonly WeighedRow[] {
  return rows.filter((row, index) => row !== blank || rows[index - 1] !== blank);
}

/** Drops the lightest rows, the last ones first, until the rest fits. */
function rowsThatFit(rows: readonly WeighedRow[], room: number): readonly WeighedRow[] {
  let fitting = rows;
  while (fitting.length > Math.max(room, 2)) {
    const least = Math.min(...fitting.map(({ weight }) => weight));
    const at = fitting.findLastIndex(({ weight }) => weight === least);
    const whole = fitting[at]?.sentence;
    fitting = fitting.filter(
      (row, index) => index !== at && (whole === undefined || row.sentence !== whole),
    );
  }
  return fitting;
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

/** Returns rows of one sentence, which are kept or dropped together. */
function asOneSentence(rows: readonly WeighedRow[], sentence = ''): readonly WeighedRow[] {
  return rows.map((row) => ({ ...row, sentence }));
}

function termsRows(form: GrantForm, parsed: ParsedGrantForm, width: number): readonly WeighedRow[] {
  const order = completeGrant(parsed);
  const like = form.like === undefined ? undefined : copySentence(form.like);
  const copyRows = asOneSentence(texts(like, width, rowWeights.moreTerms), like);
  if (order === undefined) return copyRows;
  const [terms, more] = termsSentences(order);
  return [
    ...asOneSentence(texts(terms, width, rowWeights.terms), terms),
    ...asOneSentence(texts(more, width, rowWeights.moreTerms), more),
    ...copyRows,
  ];
}

function buttonsLine(form: GrantForm, parsed: ParsedGrantForm, width: number): Line {
  const isComplete = completeGrant(parsed) !== undefined;
  const button = (index: number, label: string, isFocused: boolean, isEnabled: boolean) => ({
    ...span(isFocused ? `[${label}]` : label, isFocused && isEnabled ? 'focus' : undefined),
    stop: { kind: 'button', index, name: label } as const,
  });
  const isBack = form.stop !== 'grant';
  const hint = width < 40 ? ' (incomplete)' : ' (fill in all fields)';
  return [
    button(0, 'Cancel', isBack, form.stop === 'back'),
    span('   '),
    button(1, 'Grant', !isBack, isComplete),
    span(isComplete ? '' : hint),
  ];
}
