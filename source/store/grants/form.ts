import type { BodyScroll } from '../prompts/body-scroll.ts';
import { type Grant, type GrantState, limitDecimal } from '../../contract/grants.ts';
import { durationText } from './expiry.ts';
import type { Grantee } from './grantees.ts';

/** Fields of the form from top to bottom. */
export const grantFields = ['to', 'limit', 'until'] as const;
export type GrantField = (typeof grantFields)[number];

/** Fields and buttons of the form in the order of Tab. */
export const grantStops = [...grantFields, 'back', 'grant'] as const;
export type GrantStop = (typeof grantStops)[number];

/** A line of text with the offset of its caret. */
export interface TypedLine {
  readonly text: string;
  readonly caret: number;
}

/** A grant that is being filled in. */
export interface GrantForm {
  readonly kind: 'grant';
  /** Id of the grant that the form was filled from; `new` for none. */
  readonly origin: string;
  /** State of that grant when the form was filled from it. */
  readonly like: GrantState | undefined;
  readonly lines: Readonly<Record<GrantField, TypedLine>>;
  /** The chosen grantee, until another text is typed. */
  readonly picked: Grantee | undefined;
  /** Address of the list's row that Enter chooses; undefined for none. */
  readonly row: string | undefined;
  readonly stop: GrantStop;
  /** Visited fields; only their problems are shown. */
  readonly left: readonly GrantField[];
  /** Reason why the service rejected the form. */
  readonly refused: string | undefined;
  /** Identity of one appearance of the form; a new object each time. */
  readonly coming: object;
  /** Time when its frame was shown on the terminal, ms. */
  readonly shownAt: number;
  /** Scroll position of its rows; undefined while all of them are visible. */
  readonly scroll?: BodyScroll | undefined;
}

export const typedLine = (text: string): TypedLine => ({ text, caret: text.length });

/** Creates an empty form. */
export function newGrantForm(): GrantForm {
  return formOf({ origin: 'new', texts: { to: '', limit: '', until: '' } });
}

/** Creates a form for another grant to the same address, with the same limit and length. */
export function copyGrantForm(grant: Grant, like: GrantState, grantee: Grantee): GrantForm {
  const texts = {
    to: grantee.name ?? grantee.address,
    limit: limitDecimal(grant),
    until: durationText(grant.created_at, grant.expires_at),
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
    lines: {
      to: typedLine(texts.to),
      limit: typedLine(texts.limit),
      until: typedLine(texts.until),
    },
    picked: start.picked,
    row: undefined,
    stop: 'to',
    left: [],
    refused: undefined,
    coming: {},
    shownAt: Number.POSITIVE_INFINITY,
  };
}

/** Returns the form for its next appearance. After a rejection it opens on its safe button. */
export function reopenGrantForm(form: GrantForm, refused = form.refused): GrantForm {
  const stop = refused === undefined ? 'to' : 'back';
  return { ...form, stop, refused, row: undefined, coming: {}, shownAt: Number.POSITIVE_INFINITY };
}

export function isField(stop: GrantStop): stop is GrantField {
  return stop !== 'back' && stop !== 'grant';
}
