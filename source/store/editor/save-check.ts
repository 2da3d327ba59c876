import { changedLines, countChangedLines } from '../../editor/diff.ts';
import { type MergeInput, type MergeResult, mergeTexts } from '../../editor/merge.ts';
import { splitLines } from '../../editor/text-lines.ts';
import type {
  CheckAnswer,
  ConflictCounts,
  RemoteFile,
  SaveOutcome,
  SavePhase,
  SavePurpose,
  SaveState,
  SaveStep,
} from './save-state.ts';

const encoder = new TextEncoder();

export function bytesOf(text: string): Uint8Array {
  return encoder.encode(text);
}

export function startSave(
  state: SaveState,
  mine: string,
  purpose: SavePurpose = { kind: 'save' },
): SaveStep {
  return {
    state: { ...state, phase: { kind: 'checking', mine, purpose }, outcome: undefined },
    request: { kind: 'check' },
  };
}

export function sending(
  state: SaveState,
  sends: Omit<Extract<SavePhase, { kind: 'sending' }>, 'kind'>,
  earlier?: RemoteFile,
): SaveStep {
  return {
    state: { ...state, phase: { kind: 'sending', ...sends } },
    request: { kind: sends.by, text: sends.mine, earlier },
  };
}

/**
 * Ends a save. A queued `^S` starts if the save succeeded and its text is not saved yet; after any
 * other outcome it is dropped, because the person must see the outcome first.
 */
export function stopped(
  state: SaveState,
  outcome: SaveOutcome,
  phase: SavePhase = { kind: 'idle' },
): SaveStep {
  const { queued, base } = state;
  const after = { ...state, phase, outcome, queued: undefined };
  const isSuccess = outcome.kind === 'saved' || outcome.kind === 'unchanged';
  if (!isSuccess || queued === undefined || queued === base?.text) return { state: after };
  const next = startSave(after, queued);
  return { ...next, state: { ...next.state, outcome } };
}

/**
 * Continues a save after the check found the file. Text from our own earlier request without an
 * answer is not a conflict.
 */
export function foundSave(
  before: SaveState,
  { mine, purpose }: Extract<SavePhase, { kind: 'checking' }>,
  file: RemoteFile,
  at: number,
): SaveStep {
  const isMine = isSame(file, bytesOf(mine));
  const wasSent = before.unsettled;
  const isSent = wasSent !== undefined && (isMine || isSame(file, bytesOf(wasSent)));
  const isOpened = before.base !== undefined && isSame(file, before.base.bytes);
  const changedAt = isSent ? at : undefined;
  const state: SaveState = {
    ...before,
    base: isSent || isMine ? { ...file, text: isMine ? mine : wasSent } : before.base,
    unsettled: isSent || isOpened ? undefined : wasSent,
    replaced: isReplaced(before, { kind: 'found', file }) ? before.replaced : undefined,
    remote: undefined,
  };
  if (isMine) {
    const isUnchanged = isOpened && !isSent;
    const outcome: SaveOutcome = isUnchanged
      ? { kind: 'unchanged' }
      : { kind: 'saved', at, sent: isSent };
    return { ...stopped(state, outcome), changedAt };
  }
  const isChosen = purpose.kind === 'overwrite' && isSame(file, purpose.theirs.bytes);
  if (isSent || isOpened || isChosen) {
    // The version that the person chose to overwrite is in the trash already.
    const earlier = isChosen ? undefined : file;
    const sends = { mine, creating: false, by: 'put', replaces: file } as const;
    return { ...sending(state, sends, earlier), changedAt };
  }
  const counts = conflictCounts(state.base, state.queued ?? mine, file);
  const text = counts !== undefined;
  const conflict = { kind: 'conflict', theirs: file, counts } as const;
  return stopped({ ...state, remote: 'changed' }, { kind: 'conflict', text }, conflict);
}

function conflictCounts(
  base: RemoteFile | undefined,
  mine: string,
  theirs: RemoteFile,
): ConflictCounts | undefined {
  if (theirs.text === undefined) return undefined;
  const texts = { base: base?.text ?? '', mine, theirs: theirs.text };
  return mergeCounts(texts, mergeTexts(texts));
}

/** Most changed lines of a side that a conflict names. */
const mostLines = 2;

/** Returns what both sides of a merge changed. */
export function mergeCounts(texts: MergeInput, merge: MergeResult): ConflictCounts {
  const [base, mine, theirs] = [texts.base, texts.mine, texts.theirs].map(splitLines);
  return {
    theirs: countChangedLines(merge.theirHunks),
    mine: countChangedLines(merge.myHunks),
    theirLines: changedLines(merge.theirHunks, base ?? [], theirs ?? [], mostLines),
    myLines: changedLines(merge.myHunks, base ?? [], mine ?? [], mostLines),
    touch: merge.kind === 'touching',
  };
}

/**
 * Returns whether an answer is the version that the last save replaced. A service that copies its files late
 * answers so after it has accepted the save.
 */
export function isReplaced({ replaced }: SaveState, answer: CheckAnswer): boolean {
  if (answer.kind === 'missing') return replaced === 'none';
  if (replaced === undefined || replaced === 'none') return false;
  return answer.kind === 'found' && isSame(answer.file, replaced.bytes);
}

export function isSame(file: RemoteFile, bytes: Uint8Array): boolean {
  if (file.bytes.length !== bytes.length) return false;
  for (let index = 0; index < bytes.length; index += 1) {
    if (file.bytes[index] !== bytes[index]) return false;
  }
  return true;
}
