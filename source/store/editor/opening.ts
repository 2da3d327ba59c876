import type { FileBody } from '../../client/client.ts';
import type { Result } from '../../client/http/errors.ts';
import type { Draft } from '../drafts/drafts.ts';
import { type LocalPlace, nameIn } from '../drafts/places.ts';

/** What an editor opens with. */
export interface Opening {
  /** What is on the service, or what a draft was made from: the exact text. */
  readonly base: { readonly text: string; readonly modifiedAt?: string | undefined } | undefined;
  /** What was typed and not saved, which goes on. */
  readonly draft: Draft | undefined;
  /** The service has the draft's text: a save arrived of which nobody was told. */
  readonly arrived: boolean;
}

export type OpeningResult =
  | { readonly ok: true; readonly opening: Opening }
  | { readonly ok: false; readonly sentence: string };

/** Bytes up to which a file is edited here. */
const largestEdited = 10 * 1024 * 1024;

/**
 * What is edited, given the file as the service has it and the draft kept here. A draft opens with
 * what it was made from, so that what others wrote since then is found when it is saved, and it opens
 * also when the service does not answer. What may not be the file alone is not edited: it would be
 * written back (open points, "File content").
 */
export function openingOf(
  place: LocalPlace,
  answer: Result<FileBody>,
  draft: Draft | undefined,
): OpeningResult {
  const refusal = answer.ok ? refusalOf(place, answer.value) : undefined;
  if (draft !== undefined && (!answer.ok || refusal !== undefined)) {
    return { ok: true, opening: withDraft(draft) };
  }
  if (!answer.ok) {
    return { ok: false, sentence: `${answer.error.sentence} ${answer.error.next}`.trim() };
  }
  if (refusal !== undefined) return { ok: false, sentence: refusal };
  const { text, modifiedAt } = answer.value;
  // Text is there wherever nothing is refused.
  if (draft === undefined || draft.text === text) {
    const arrived = draft !== undefined && draft.base !== text;
    const base = { text: text ?? '', modifiedAt };
    return { ok: true, opening: { base, draft: undefined, arrived } };
  }
  return { ok: true, opening: withDraft(draft) };
}

function withDraft(draft: Draft): Opening {
  const base = draft.base === undefined ? undefined : { text: draft.base };
  return { base, draft, arrived: false };
}

function refusalOf({ path }: LocalPlace, { bytes, text, certainty }: FileBody): string | undefined {
  const name = nameIn(path);
  if (bytes.byteLength > largestEdited) {
    return `${name} is larger than 10 MiB and is not edited here. S saves it to this machine.`;
  }
  if (text === undefined) {
    return `${name} is binary and is not edited here. S saves it to this machine.`;
  }
  if (certainty === 'ambiguous') {
    return `${name} is not edited: what the service answers may not be exactly the file.`;
  }
  return undefined;
}
