/** The form of a new grant in words. */
import type { Deck } from '../../../store/deck/deck.ts';
import { type GrantForm, isField } from '../../../store/grants/form.ts';
import { parseGrantForm } from '../../../store/grants/form-reading.ts';
import { listedGrantees } from '../../../store/grants/form-steps.ts';
import { grantFormContext } from '../../grants/facts.ts';
import { fieldLabel } from '../../grants/field-rows.ts';
import { grantFormRows } from '../../grants/form-rows.ts';
import { spansText } from '../../text/fit.ts';
import { idOfObject } from './box-id.ts';
import type { HeardBox, HeardRow } from './heard.ts';
import { boxTitle } from './hear-questions.ts';

/** Columns for the rows of the form; wrapped ones would be said in parts. */
const formColumns = 1000;

export function hearGrantForm(deck: Deck, form: GrantForm): HeardBox {
  const facts = grantFormContext(deck);
  const parsed = parseGrantForm(form, facts);
  const choices = listedGrantees(form, facts);
  const rows = grantFormRows(form, parsed, choices, formColumns, Number.POSITIVE_INFINITY);
  const texts = rows
    .flatMap((row) => (row.kind === 'text' ? [spansText(row.line).trim()] : []))
    .filter((text) => text !== '');
  const [buttons = '', terms] = [texts.at(-1), texts.slice(0, -1).join(' ')];
  const { stop } = form;
  const note = rows.flatMap((row) =>
    row.kind === 'field' && row.field === stop ? [spansText(row.note)] : [],
  );
  return {
    id: idOfObject('grant', form.coming),
    intro: [
      `${boxTitle(deck, 'new grant')}. Tab moves between To, Limit, Until, Cancel and Grant. Esc goes back and keeps the input.`,
      ...(form.refused === undefined ? [] : [form.refused]),
    ],
    row: rowOf(form, choices, terms, buttons),
    field: isField(stop)
      ? { label: `${fieldLabel(stop).trim()}: `, ...form.lines[stop] }
      : undefined,
    found: [...note, stop === 'to' ? choicesWords(choices.length) : ''].join(' ').trim(),
  };
}

function choicesWords(count: number): string {
  if (count === 0) return '';
  return `Down chooses among ${count} known ${count === 1 ? 'address' : 'addresses'}.`;
}

function rowOf(
  form: GrantForm,
  choices: ReturnType<typeof listedGrantees>,
  terms: string,
  buttons: string,
): HeardRow | undefined {
  const { stop, row } = form;
  if (row !== undefined) {
    const chosen = choices.find(({ address }) => address === row);
    const name = chosen?.name === undefined ? row : `${chosen.name}, ${row}`;
    return { id: `grantee ${row}`, text: name };
  }
  if (stop === 'back') return { id: stop, text: 'Cancel button' };
  if (stop !== 'grant') return undefined;
  const isIncomplete = buttons.includes('(');
  return {
    id: stop,
    text: isIncomplete ? 'Grant button, fill in all fields first' : `Grant button. ${terms}`,
  };
}
