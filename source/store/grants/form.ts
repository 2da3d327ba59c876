import { type Grant, type GrantState, limitOf } from '../../contract/grants.ts';
import { spanText } from './expiry.ts';
import type { Grantee } from './grantees.ts';

/** What is filled in, from above. */
export const grantFields = ['to', 'limit', 'until'] as const;
export type GrantField = (typeof grantFields)[number];

/** Where the keys of the form go, in the order of Tab. */
export const grantStops = [...grantFields, 'back', 'grant'] as const;
export type GrantStop = (typeof grantStops)[number];

/** A line of text, with the offset that the next character goes to. */
export interface TypedLine {
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
  /** Address in the list that Enter takes: rows may come and go above it. Undefined for none. */
  readonly row: string | undefined;
  readonly stop: GrantStop;
  /** Fields that were gone through: of others it is too early to say what is wrong. */
  readonly left: readonly GrantField[];
  /** Why it came back. */
  readonly refused: string | undefined;
  /** Another one each time that the form comes up. */
  readonly coming: object;
  /** When its frame was seen on the terminal. */
  readonly shownAt: number;
}

export const lineOf = (text: string): TypedLine => ({ text, caret: text.length });

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
    row: undefined,
    stop: 'to',
    left: [],
    refused: undefined,
    coming: {},
    shownAt: Number.POSITIVE_INFINITY,
  };
}

/** The form as it comes up again, not seen yet. After a refusal it opens on its safe button. */
export function comeAgain(form: GrantForm, refused = form.refused): GrantForm {
  const stop = refused === undefined ? 'to' : 'back';
  return { ...form, stop, refused, row: undefined, coming: {}, shownAt: Number.POSITIVE_INFINITY };
}

export function isField(stop: GrantStop): stop is GrantField {
  return stop !== 'back' && stop !== 'grant';
}
