import type { Result, ServiceError } from '../../client/http/errors.ts';
import type { LineCounts } from '../../editor/diff.ts';
import type { WriteResult } from '../drafts/places.ts';

/** A file as the service had it when it was read, or when our text was accepted. */
export interface RemoteFile {
  readonly bytes: Uint8Array;
  /** Their exact text; undefined when they are no text, or may be more than the file. */
  readonly text: string | undefined;
  readonly modifiedAt: string | undefined;
  /** The bytes may be an envelope around the file: kept, they would come back as another file. */
  readonly ambiguous?: boolean;
}

/** Changed lines of both sides, from what was opened. */
export interface ConflictCounts {
  readonly theirs: LineCounts;
  readonly mine: LineCounts;
  /** Then they cannot be merged. */
  readonly touch: boolean;
}

/** Why a check is made; only the person can ask for more than a save. */
export type SavePurpose =
  | { readonly kind: 'save' }
  /** `theirs` was shown, is kept on this machine and may be replaced. */
  | { readonly kind: 'overwrite'; readonly theirs: RemoteFile }
  | { readonly kind: 'create' };

export type SavePhase =
  | { readonly kind: 'idle' }
  | { readonly kind: 'checking'; readonly mine: string; readonly purpose: SavePurpose }
  | {
      readonly kind: 'sending';
      readonly mine: string;
      /** There is no file yet. */
      readonly creating: boolean;
      readonly by: 'put' | 'upload';
    }
  /** Waits for a choice; `counts` is undefined when theirs is no text. Nothing was sent. */
  | {
      readonly kind: 'conflict';
      readonly theirs: RemoteFile;
      readonly counts: ConflictCounts | undefined;
    }
  | {
      readonly kind: 'keeping';
      readonly whose: 'theirs' | 'mine';
      readonly mine: string;
      readonly conflict: Extract<SavePhase, { kind: 'conflict' }>;
    }
  /** Deleted on the service, which was said before: waits for a choice. */
  | { readonly kind: 'offered' }
  /** Theirs was taken and is no text: there is nothing to edit any more. */
  | { readonly kind: 'left' };

/** What came of the last `^S` or choice. */
export type SaveOutcome =
  /** Equal to what was opened. */
  | { readonly kind: 'unchanged' }
  /** On the service; `sent` is false when someone else had written the same. */
  | { readonly kind: 'saved'; readonly at: number; readonly sent: boolean }
  | { readonly kind: 'conflict'; readonly text: boolean }
  | { readonly kind: 'deleted' }
  | { readonly kind: 'offered' }
  /** Could not be compared: nothing was sent. */
  | { readonly kind: 'unchecked'; readonly error: ServiceError }
  | { readonly kind: 'failed'; readonly error: ServiceError }
  /** Sent, but no answer came. */
  | { readonly kind: 'unknown'; readonly error: ServiceError }
  | { readonly kind: 'not kept'; readonly whose: 'theirs' | 'mine'; readonly sentence: string }
  /** Typed on while mine was being kept: theirs was not taken. */
  | { readonly kind: 'typed on' }
  | { readonly kind: 'merged' }
  | { readonly kind: 'taken' };

/** The saving of one opened file. */
export interface SaveState {
  /** What mine is compared with; undefined for a file that is new on the service. */
  readonly base: RemoteFile | undefined;
  readonly phase: SavePhase;
  /** What was sent last, when its outcome is unknown. */
  readonly unsettled: string | undefined;
  /** The text of a `^S` that came while something was under way. */
  readonly queued: string | undefined;
  /** The person was told that the file is gone. */
  readonly deleted: boolean;
  readonly outcome: SaveOutcome | undefined;
}

export type SaveChoice = 'keep editing' | 'merge' | 'overwrite' | 'take theirs' | 'create';

export type CheckAnswer =
  | { readonly kind: 'found'; readonly file: RemoteFile }
  | { readonly kind: 'missing' }
  | { readonly kind: 'failed'; readonly error: ServiceError };

/** `mine` is the text in the editor at that moment, `at` is ms since the epoch. */
export type SaveEvent =
  | { readonly kind: 'save'; readonly mine: string }
  | { readonly kind: 'choose'; readonly choice: SaveChoice; readonly mine: string }
  | { readonly kind: 'checked'; readonly at: number; readonly answer: CheckAnswer }
  | { readonly kind: 'kept'; readonly kept: WriteResult; readonly mine: string }
  | { readonly kind: 'sent'; readonly at: number; readonly result: Result<void> };

/** What is to be done next; its event comes when it is done. Never more than one at a time. */
export type SaveRequest =
  /** Reads the file: `checked`. */
  | { readonly kind: 'check' }
  /** Writes the file, or uploads it where there is none to update: `sent`. */
  | { readonly kind: 'put' | 'upload'; readonly text: string }
  /** Keeps what is about to be given up, on this machine: `kept`. */
  | { readonly kind: 'keep theirs'; readonly file: RemoteFile }
  | { readonly kind: 'keep mine'; readonly text: string };

export interface SaveStep {
  readonly state: SaveState;
  readonly request?: SaveRequest | undefined;
  /** Replaces what the editor shows; `text` is undefined when there is none to show. */
  readonly show?: { readonly text: string | undefined } | undefined;
  /** When the file was found to be changed by us on the service: a restart is due. */
  readonly changedAt?: number | undefined;
}

/** Whether something is under way, or what came of the last of it is still to be found out. */
export function isSaving({ phase, unsettled }: SaveState): boolean {
  return unsettled !== undefined || ['checking', 'sending', 'keeping'].includes(phase.kind);
}

export function openedSave(base: RemoteFile | undefined): SaveState {
  return {
    base,
    phase: { kind: 'idle' },
    unsettled: undefined,
    queued: undefined,
    deleted: false,
    outcome: undefined,
  };
}
