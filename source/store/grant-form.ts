import { type Grant, type GrantState, limitOf } from '../contract/grants.ts';
import { type ReadAmount, readAmount } from './grant-amount.ts';
import { type ReadExpiry, readExpiry, spanText } from './grant-expiry.ts';
import { sameAddress } from './address.ts';
import { type Grantee, narrowGrantees, type ReadGrantee, readGrantee } from './grantees.ts';

const grantFields = ['to', 'limit', 'until'] as const;
export type GrantField = (typeof grantFields)[number];

/** Where the keys of the form go, in the order of Tab. */
const stops = [...grantFields, 'back', 'grant'] as const;
export type GrantStop = (typeof stops)[number];

/** A line of text, with the offset that the next character goes to. */
interface TypedLine {
  readonly text: string;
  readonly caret: number;
}

/** A grant that is being filled in. */
export interface GrantForm {
  readonly kind: 'grant';
  /** Id of the grant that it is made like; `new` for none. */
  readonly origin: string;
  /** State of that grant when the form was filled from it. */
  readonly like: GrantState | undefined;
  readonly lines: Readonly<Record<GrantField, TypedLine>>;
  /** Who was chosen, until another is typed. */
  readonly picked: Grantee | undefined;
  /** Row of the list that Enter chooses; -1 for none. */
  readonly row: number;
  readonly stop: GrantStop;
  /** Fields that were gone through: of others it is too early to say what is wrong. */
  readonly left: readonly GrantField[];
  /** Why it came back. */
  readonly refused: string | undefined;
  /** When its frame was seen on the terminal. */
  readonly shownAt: number;
}

const lineOf = (text: string): TypedLine => ({ text, caret: text.length });

/** An empty form. */
export function newGrantForm(): GrantForm {
  return formOf({ origin: 'new', texts: { to: '', limit: '', until: '' } });
}

/** A form for another grant to the same address, of the same limit, as long as that one from now. */
export function formLike(grant: Grant, like: GrantState, grantee: Grantee): GrantForm {
  const texts = {
    to: grantee.name ?? grantee.address,
    limit: limitOf(grant),
    until: spanText(grant.created_at, grant.expires_at),
  };
  return formOf({ origin: grant.id, texts, like, picked: grantee });
}

function formOf(start: {
  readonly origin: string;
  readonly texts: Readonly<Record<GrantField, string>>;
  readonly like?: GrantState;
  readonly picked?: Grantee;
}): GrantForm {
  const { texts } = start;
  return {
    kind: 'grant',
    origin: start.origin,
    like: start.like,
    lines: { to: lineOf(texts.to), limit: lineOf(texts.limit), until: lineOf(texts.until) },
    picked: start.picked,
    row: -1,
    stop: 'to',
    left: [],
    refused: undefined,
    shownAt: Number.POSITIVE_INFINITY,
  };
}

/** The form as it comes up again, not seen yet. After a refusal it opens on its safe button. */
export function comeAgain(form: GrantForm, refused = form.refused): GrantForm {
  const stop = refused === undefined ? 'to' : 'back';
  return { ...form, stop, refused, row: -1, shownAt: Number.POSITIVE_INFINITY };
}

export function isField(stop: GrantStop): stop is GrantField {
  return stop !== 'back' && stop !== 'grant';
}

/** The form with another line in a field. Who was chosen is no longer meant by another text. */
export function withLine(form: GrantForm, field: GrantField, line: TypedLine): GrantForm {
  const lines = { ...form.lines, [field]: line };
  if (field !== 'to' || line.text === form.lines.to.text) return { ...form, lines };
  return { ...form, lines, picked: undefined, row: line.text.trim() === '' ? -1 : 0 };
}

/** What of the form can be asked for only with what is known around it. */
export interface GrantFacts {
  readonly known: readonly Grantee[];
  readonly caller: string | undefined;
  /** By the clock of the service, ms since the epoch. */
  readonly now: number;
}

export interface GrantReading {
  readonly to: ReadGrantee;
  readonly limit: ReadAmount;
  readonly until: ReadExpiry;
}

/** What a whole form asks for. */
export interface GrantOrder {
  readonly grantee: Grantee;
  /** Nobody known has this address. */
  readonly isNew: boolean;
  readonly digits: string;
  /** ms since the epoch. */
  readonly until: number;
  readonly endOfDay: boolean;
}

export function readForm({ lines, picked }: GrantForm, facts: GrantFacts): GrantReading {
  return {
    to:
      picked === undefined
        ? readGrantee(lines.to.text, facts.known, facts.caller)
        : { ok: true, grantee: picked, isNew: isUnknown(picked, facts.known) },
    limit: readAmount(lines.limit.text),
    until: readExpiry(lines.until.text, facts.now),
  };
}

function isUnknown({ address }: Grantee, known: readonly Grantee[]): boolean {
  return !known.some((one) => sameAddress(one.address, address));
}

/** What the fields ask for together; undefined while something is wrong with one of them. */
export function orderOf({ to, limit, until }: GrantReading): GrantOrder | undefined {
  if (!to.ok || !limit.ok || !until.ok) return undefined;
  return {
    grantee: to.grantee,
    isNew: to.isNew,
    digits: limit.digits,
    until: until.at,
    endOfDay: until.endOfDay,
  };
}

/**
 * Whom the list offers while its field is typed into: those that fit, and the text itself where it
 * could be an address as well. Nobody once one is chosen.
 */
export function choicesOf(form: GrantForm, { known, caller }: GrantFacts): readonly Grantee[] {
  if (form.stop !== 'to' || form.picked !== undefined) return [];
  const { text } = form.lines.to;
  const fitting = narrowGrantees(known, text);
  if (fitting.length === 0) return [];
  const read = readGrantee(text, known, caller);
  return read.ok && read.isNew ? [...fitting, read.grantee] : fitting;
}

/** Goes among those that the list offers, stopping at both ends. */
export function stepRow(form: GrantForm, step: number, count: number): GrantForm {
  return { ...form, row: Math.max(0, Math.min(form.row + step, count - 1)) };
}

/** Goes to another stop; the ends meet. Leaving the list takes what its row stands on. */
export function stepStop(form: GrantForm, step: number, facts: GrantFacts): GrantForm {
  const at = stops.indexOf(form.stop);
  const stop = stops[(at + step + stops.length) % stops.length] ?? 'to';
  return leaveFor(form, stop, facts);
}

function leaveFor(form: GrantForm, stop: GrantStop, facts: GrantFacts): GrantForm {
  const chosen = form.stop === 'to' ? choicesOf(form, facts)[form.row] : undefined;
  const taken =
    chosen === undefined
      ? form
      : {
          ...form,
          picked: chosen,
          lines: { ...form.lines, to: lineOf(chosen.name ?? chosen.address) },
        };
  const left = isField(form.stop) && !form.left.includes(form.stop) ? [form.stop] : [];
  return { ...taken, stop, row: -1, left: [...form.left, ...left] };
}

/** What Enter does: the next field, behind the last one the safe button; a button's own thing. */
export type Entered =
  | { readonly kind: 'goes on'; readonly form: GrantForm }
  | { readonly kind: 'leaves' }
  | { readonly kind: 'grants'; readonly order: GrantOrder }
  | { readonly kind: 'nothing' };

export function enterForm(form: GrantForm, facts: GrantFacts): Entered {
  if (isField(form.stop)) return { kind: 'goes on', form: stepStop(form, 1, facts) };
  if (form.stop === 'back') return { kind: 'leaves' };
  const order = orderOf(readForm(form, facts));
  return order === undefined ? { kind: 'nothing' } : { kind: 'grants', order };
}
