import { keyName } from '../prompts/key-names.ts';
import type { FileBody } from '../../client/file-content.ts';
import type { Result } from '../../client/http/errors.ts';
import type { Draft } from '../drafts/drafts.ts';
import { type LocalPlace, nameIn } from '../drafts/places.ts';

/**
 * A change of a draft's file since its base. `replaced`: it is no longer text that can be edited.
 * Undefined without a draft, a change, or a certain answer.
 */
export type SinceDraft = 'changed' | 'replaced' | 'created' | 'deleted' | undefined;

/** The texts that an editor opens with. */
export interface Opening {
  /** The exact text on the service, or the text that the draft is based on. */
  readonly base: { readonly text: string; readonly modifiedAt?: string | undefined } | undefined;
  /** The draft to resume. */
  readonly draft: Draft | undefined;
  /** Change of the file on the service since the draft was typed. */
  readonly sinceDraft: SinceDraft;
  /** True when the service already has the draft's text, after a save without an answer. */
  readonly arrived: boolean;
}

export type OpeningResult =
  | { readonly ok: true; readonly opening: Opening }
  | { readonly ok: false; readonly sentence: string };

/** Largest file that can be edited, in bytes. */
export const maxEditedBytes = 10 * 1024 * 1024;

/**
 * Chooses the texts to open from the service's file and the local draft. A draft opens with the
 * text it is based on, so that a save detects later changes on the service; it also opens without
 * an answer. Refuses content that may be wrapped in an envelope, because a save would write the
 * envelope.
 */
export function openingOf(
  place: LocalPlace,
  answer: Result<FileBody>,
  draft: Draft | undefined,
): OpeningResult {
  const refusal = answer.ok ? refusalOf(place, answer.value) : undefined;
  if (draft !== undefined && (!answer.ok || refusal !== undefined)) {
    return { ok: true, opening: withDraft(draft, answer) };
  }
  if (!answer.ok) {
    return { ok: false, sentence: `${answer.error.sentence} ${answer.error.next}`.trim() };
  }
  if (refusal !== undefined) return { ok: false, sentence: refusal };
  const { text, modifiedAt } = answer.value;
  // `text` is defined for every file that is not refused.
  if (draft === undefined || draft.text === text) {
    const arrived = draft !== undefined && draft.base !== text;
    const base = { text: text ?? '', modifiedAt };
    return { ok: true, opening: { base, draft: undefined, sinceDraft: undefined, arrived } };
  }
  return { ok: true, opening: withDraft(draft, answer) };
}

/**
 * Returns the texts of a file that does not exist yet. Refuses a path that the service has a file at;
 * without an answer the file opens, because the save checks again.
 */
export function openingOfNew(
  { path }: LocalPlace,
  answer: Result<FileBody>,
  draft: Draft | undefined,
): OpeningResult {
  if (answer.ok) return { ok: false, sentence: existingSentence(path) };
  const { code, status, sentence, next } = answer.error;
  if (code !== 'not-found' && status !== undefined) {
    return { ok: false, sentence: `${sentence} ${next}`.trim() };
  }
  const empty = { base: undefined, draft: undefined, sinceDraft: undefined, arrived: false };
  return { ok: true, opening: draft === undefined ? empty : withDraft(draft, answer) };
}

/** Returns the refusal of a path for a new file. */
function existingSentence(path: string): string {
  return `${path} already exists. ${keyName('files.edit', 'e')} edits it.`;
}

function withDraft(draft: Draft, answer: Result<FileBody>): Opening {
  const base = draft.base === undefined ? undefined : { text: draft.base };
  return { base, draft, sinceDraft: sinceDraft(draft, answer), arrived: false };
}

function sinceDraft({ base }: Draft, answer: Result<FileBody>): SinceDraft {
  if (!answer.ok) {
    return answer.error.code === 'not-found' && base !== undefined ? 'deleted' : undefined;
  }
  const { bytes, text, certainty } = answer.value;
  if (text === undefined || bytes.byteLength > maxEditedBytes) return 'replaced';
  if (certainty === 'ambiguous' || text === base) return undefined;
  return base === undefined ? 'created' : 'changed';
}

function refusalOf({ path }: LocalPlace, { bytes, text, certainty }: FileBody): string | undefined {
  const name = nameIn(path);
  if (bytes.byteLength > maxEditedBytes) {
    return `${name} is larger than 10 MiB and can't be edited. ${keyName('files.download', 'S')} downloads it.`;
  }
  if (text === undefined)
    return `${name} is binary and can't be edited. ${keyName('files.download', 'S')} downloads it.`;
  if (certainty === 'ambiguous') {
    return `${name} can't be edited: the service's answer may contain more than the file.`;
  }
  return undefined;
}
