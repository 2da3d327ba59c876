import type { Result, ServiceError } from '../../client/http/errors.ts';
import type { ChangedLine, LineCounts } from '../../editor/diff.ts';
import type { WriteResult } from '../drafts/places.ts';

/** The service's version of a file, when it was read or when our text was accepted. */
export interface RemoteFile {
  readonly bytes: Uint8Array;
  /** Exact text; undefined for binary content, or when the bytes may be an envelope. */
  readonly text: string | undefined;
  readonly modifiedAt: string | undefined;
  /** True when the bytes may be an envelope around the file; restoring them would be wrong. */
  readonly ambiguous?: boolean;
}

/** Numbers of changed lines on both sides, against the opened text, and the first of these lines. */
export interface ConflictCounts {
  readonly theirs: LineCounts;
  readonly mine: LineCounts;
  readonly theirLines: readonly ChangedLine[];
  readonly myLines: readonly ChangedLine[];
  /** True when the changes overlap and can't be merged. */
  readonly touch: boolean;
}

/** The purpose of a check; only the person can start more than a save. */
export type SavePurpose =
  | { readonly kind: 'save' }
  /** `theirs` was shown, is in the trash and may be replaced. */
  | { readonly kind: 'overwrite'; readonly theirs: RemoteFile }
  | { readonly kind: 'create' };

export type SavePhase =
  | { readonly kind: 'idle' }
  | { readonly kind: 'checking'; readonly mine: string; readonly purpose: SavePurpose }
  | {
      readonly kind: 'sending';
      readonly mine: string;
      /** True when the file does not exist yet. */
      readonly creating: boolean;
      readonly by: 'put' | 'upload';
      /** The version on the service that is replaced; undefined where there is none. */
      readonly replaces: RemoteFile | undefined;
    }
  /** Waits for a choice; nothing was sent. `counts` is undefined when their version is not text. */
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
  /** Waits for a choice after a second `^S` on a file deleted on the service. */
  | { readonly kind: 'offered' }
  /** Their version was chosen and is not text, so nothing is left to edit. */
  | { readonly kind: 'left' };

/** The outcome of the last `^S`, choice or read of the service. */
export type SaveOutcome =
  /** Equal to the opened text. */
  | { readonly kind: 'unchanged' }
  /** Saved; `sent` is false when the service already had the same text. */
  | { readonly kind: 'saved'; readonly at: number; readonly sent: boolean }
  | { readonly kind: 'conflict'; readonly text: boolean }
  | { readonly kind: 'deleted' }
  | { readonly kind: 'offered' }
  /** The check failed; nothing was sent. */
  | { readonly kind: 'unchecked'; readonly error: ServiceError }
  | { readonly kind: 'failed'; readonly error: ServiceError }
  /** Sent without an answer. */
  | { readonly kind: 'unknown'; readonly error: ServiceError }
  | { readonly kind: 'not kept'; readonly whose: 'theirs' | 'mine'; readonly sentence: string }
  /** The text was edited while its copy was stored, so their version was not shown. */
  | { readonly kind: 'typed on' }
  | { readonly kind: 'merged' }
  | { readonly kind: 'taken' }
  /** The file changed on the service; its text was shown, because nothing was typed. */
  | { readonly kind: 'reloaded' }
  /** The file changed on the service; `isText` is false when the editor can't show its content. */
  | { readonly kind: 'changed'; readonly isText: boolean }
  /** The file is no longer on the service; the text stays. */
  | { readonly kind: 'gone' };

/** A change of the file on the service that the editor's text lacks. */
export type RemoteChange = 'changed' | 'deleted';

/** The state of the save of one opened file. */
export interface SaveState {
  /** Version that my changes are compared with; undefined for a new file. */
  readonly base: RemoteFile | undefined;
  readonly phase: SavePhase;
  /** Text of the last write, while its outcome is unknown. */
  readonly unsettled: string | undefined;
  /** Text of a `^S` pressed during a save. */
  readonly queued: string | undefined;
  /** The reported change of the file on the service, until a save or a reload settles it. */
  readonly remote: RemoteChange | undefined;
  /** The version that the last save replaced, until the service has shown another one since. */
  readonly replaced: ReplacedVersion;
  readonly outcome: SaveOutcome | undefined;
}

/** The version that a save replaced; `none` where it created the file, undefined where no save is meant. */
export type ReplacedVersion = RemoteFile | 'none' | undefined;

export type SaveChoice = 'keep editing' | 'merge' | 'overwrite' | 'take theirs' | 'create';

export type CheckAnswer =
  | { readonly kind: 'found'; readonly file: RemoteFile }
  | { readonly kind: 'missing' }
  | { readonly kind: 'failed'; readonly error: ServiceError };

/** An event of a save. `mine` is the current text of the editor, `at` is ms since the epoch. */
export type SaveEvent =
  | { readonly kind: 'save'; readonly mine: string }
  | { readonly kind: 'choose'; readonly choice: SaveChoice; readonly mine: string }
  | { readonly kind: 'checked'; readonly at: number; readonly answer: CheckAnswer }
  | { readonly kind: 'kept'; readonly kept: WriteResult; readonly mine: string }
  | { readonly kind: 'sent'; readonly at: number; readonly result: Result<void> }
  /** The file was read without a save; `base` is the one when the request was sent. */
  | {
      readonly kind: 'seen';
      readonly base: RemoteFile;
      readonly answer: CheckAnswer;
      readonly mine: string;
    };

/** The next request of a save, one at a time; each one ends in an event. */
export type SaveRequest =
  /** Reads the file; ends in `checked`. */
  | { readonly kind: 'check' }
  /** Updates the file, or uploads a new one; ends in `sent`. */
  | {
      readonly kind: 'put' | 'upload';
      readonly text: string;
      readonly earlier?: RemoteFile | undefined;
    }
  /** Stores a copy of the version that `text` is to replace on this machine; ends in `kept`. */
  | { readonly kind: 'keep theirs'; readonly file: RemoteFile; readonly text: string }
  | { readonly kind: 'keep mine'; readonly text: string };

export interface SaveStep {
  readonly state: SaveState;
  readonly request?: SaveRequest | undefined;
  /** New content of the editor; `text` is undefined when there is none. */
  readonly show?: { readonly text: string | undefined } | undefined;
  /** Time at which our change reached the service, ms since the epoch; a restart must follow. */
  readonly changedAt?: number | undefined;
}

/** Tells whether a save is running or its outcome is unknown. */
export function isSaving({ phase, unsettled }: SaveState): boolean {
  return unsettled !== undefined || ['checking', 'sending', 'keeping'].includes(phase.kind);
}

export function openedSave(base: RemoteFile | undefined, remote?: RemoteChange): SaveState {
  return {
    base,
    phase: { kind: 'idle' },
    unsettled: undefined,
    queued: undefined,
    remote,
    replaced: undefined,
    outcome: undefined,
  };
}
