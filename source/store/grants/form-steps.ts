import {
  type GrantField,
  grantFields,
  type GrantForm,
  type GrantStop,
  grantStops,
  isField,
  lineOf,
  type TypedLine,
} from './form.ts';
import { type GrantFacts, type GrantOrder, grantOrder, readForm } from './form-reading.ts';
import { type Grantee, narrowGrantees, readGrantee } from './grantees.ts';

/**
 * Whom the list offers while its field is typed into: those that fit, and the text itself where it
 * could be an address as well. Nobody once one is chosen.
 */
export function choicesOf(
  form: GrantForm,
  { known, caller, names }: GrantFacts,
): readonly Grantee[] {
  if (form.stop !== 'to' || form.picked !== undefined) return [];
  const { text } = form.lines.to;
  const fitting = narrowGrantees(known, text);
  if (fitting.length === 0) return [];
  const read = readGrantee(text, known, caller, names);
  return read.ok && read.isNew ? [...fitting, read.grantee] : fitting;
}

/**
 * The form with another line in a field. Who was chosen is no longer meant by another text, which
 * the list answers with the one that fits it best.
 */
export function withLine(
  form: GrantForm,
  field: GrantField,
  line: TypedLine,
  facts: GrantFacts,
): GrantForm {
  const lines = { ...form.lines, [field]: line };
  if (field !== 'to' || line.text === form.lines.to.text) return { ...form, lines };
  const typed = { ...form, lines, picked: undefined, row: undefined };
  const [first] = line.text.trim() === '' ? [] : choicesOf(typed, facts);
  return { ...typed, row: first?.address };
}

/** Goes among those that the list offers, stopping at both ends. */
export function stepRow(form: GrantForm, step: number, choices: readonly Grantee[]): GrantForm {
  const to = choices.findIndex(({ address }) => address === form.row) + step;
  return { ...form, row: choices[Math.max(0, Math.min(to, choices.length - 1))]?.address };
}

/** Goes to another stop; the ends meet. Leaving the list takes what its row stands on. */
export function stepStop(form: GrantForm, step: number, facts: GrantFacts): GrantForm {
  const at = grantStops.indexOf(form.stop);
  const stop = grantStops[(at + step + grantStops.length) % grantStops.length] ?? 'to';
  return leaveFor(form, stop, facts);
}

function leaveFor(form: GrantForm, stop: GrantStop, facts: GrantFacts): GrantForm {
  const chosen =
    form.stop === 'to'
      ? choicesOf(form, facts).find(({ address }) => address === form.row)
      : undefined;
  const taken =
    chosen === undefined
      ? form
      : {
          ...form,
          picked: chosen,
          lines: { ...form.lines, to: lineOf(chosen.name ?? chosen.address) },
        };
  const left = isField(form.stop) && !form.left.includes(form.stop) ? [form.stop] : [];
  return { ...taken, stop, row: undefined, left: [...form.left, ...left] };
}

/**
 * What Enter does: the next field, behind the last one the safe button; a button's own thing. Where
 * there is nothing to grant yet, the first field that something is wrong with.
 */
export type FormStep =
  | { readonly kind: 'goes on'; readonly form: GrantForm }
  | { readonly kind: 'leaves' }
  | { readonly kind: 'grants'; readonly order: GrantOrder };

export function enterForm(form: GrantForm, facts: GrantFacts): FormStep {
  if (isField(form.stop)) return { kind: 'goes on', form: stepStop(form, 1, facts) };
  if (form.stop === 'back') return { kind: 'leaves' };
  const reading = readForm(form, facts);
  const order = grantOrder(reading);
  if (order !== undefined) return { kind: 'grants', order };
  const stop = grantFields.find((field) => !reading[field].ok) ?? 'to';
  return { kind: 'goes on', form: { ...form, stop, row: undefined, left: grantFields } };
}
