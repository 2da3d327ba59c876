import {
  type GrantField,
  grantFields,
  type GrantForm,
  type GrantStop,
  grantStops,
  isField,
  typedLine,
  type TypedLine,
} from './form.ts';
import {
  type GrantFormContext,
  type GrantDraft,
  completeGrant,
  parseGrantForm,
} from './form-reading.ts';
import { type Grantee, filterGrantees, parseGrantee } from './grantees.ts';

/**
 * Returns the grantees that the list offers: those that match the typed text, and the text itself
 * if it could be an address. Empty once a grantee is chosen.
 */
export function listedGrantees(
  form: GrantForm,
  { known, caller, names }: GrantFormContext,
): readonly Grantee[] {
  if (form.stop !== 'to' || form.picked !== undefined) return [];
  const { text } = form.lines.to;
  const matches = filterGrantees(known, text);
  if (matches.length === 0) return [];
  const read = parseGrantee(text, known, caller, names);
  return read.ok && read.isNew ? [...matches, read.grantee] : matches;
}

/**
 * Returns the form with another line in a field. Another text removes the chosen grantee and moves
 * the list to its best match.
 */
export function setGrantLine(
  form: GrantForm,
  field: GrantField,
  line: TypedLine,
  facts: GrantFormContext,
): GrantForm {
  const lines = { ...form.lines, [field]: line };
  if (field !== 'to' || line.text === form.lines.to.text) return { ...form, lines };
  const edited = { ...form, lines, picked: undefined, row: undefined };
  const [first] = line.text.trim() === '' ? [] : listedGrantees(edited, facts);
  return { ...edited, row: first?.address };
}

/** Moves within the list and stops at both ends. */
export function moveListRow(form: GrantForm, step: number, choices: readonly Grantee[]): GrantForm {
  const index = choices.findIndex(({ address }) => address === form.row) + step;
  return { ...form, row: choices[Math.max(0, Math.min(index, choices.length - 1))]?.address };
}

/** Moves to another stop in a circle. Leaving the list chooses the grantee in its row. */
export function moveToStop(form: GrantForm, step: number, facts: GrantFormContext): GrantForm {
  const current = grantStops.indexOf(form.stop);
  const stop = grantStops[(current + step + grantStops.length) % grantStops.length] ?? 'to';
  return leaveTo(form, stop, facts);
}

function leaveTo(form: GrantForm, stop: GrantStop, facts: GrantFormContext): GrantForm {
  const chosen =
    form.stop === 'to'
      ? listedGrantees(form, facts).find(({ address }) => address === form.row)
      : undefined;
  const updated =
    chosen === undefined
      ? form
      : {
          ...form,
          picked: chosen,
          lines: { ...form.lines, to: typedLine(chosen.name ?? chosen.address) },
        };
  const visited = isField(form.stop) && !form.left.includes(form.stop) ? [form.stop] : [];
  return { ...updated, stop, row: undefined, left: [...form.left, ...visited] };
}

/**
 * Result of Enter: a field moves on to the next one and the last to the safe button, a button acts,
 * and the grant button of an incomplete form moves to the first invalid field.
 */
export type FormResult =
  | { readonly kind: 'continues'; readonly form: GrantForm }
  | { readonly kind: 'leaves' }
  | { readonly kind: 'grants'; readonly order: GrantDraft };

export function enterForm(form: GrantForm, facts: GrantFormContext): FormResult {
  if (isField(form.stop)) return { kind: 'continues', form: moveToStop(form, 1, facts) };
  if (form.stop === 'back') return { kind: 'leaves' };
  const reading = parseGrantForm(form, facts);
  const order = completeGrant(reading);
  if (order !== undefined) return { kind: 'grants', order };
  const stop = grantFields.find((field) => !reading[field].ok) ?? 'to';
  return { kind: 'continues', form: { ...form, stop, row: undefined, left: grantFields } };
}
