import type { Result } from '../../client/http/errors.ts';
import { mergeTexts } from '../../editor/merge.ts';
import { maxEditedBytes } from './opening.ts';
import {
  bytesOf,
  foundSave,
  isReplaced,
  isSame,
  mergeCounts,
  sending,
  startSave,
  stopped,
} from './save-check.ts';
import type {
  RemoteChange,
  ReplacedVersion,
  SaveChoice,
  SaveEvent,
  SaveOutcome,
  SavePhase,
  SaveState,
  SaveStep,
} from './save-state.ts';

/**
 * Returns the state of a save after an event. A write follows only a check that found the opened
 * text, the version that the person chose to overwrite, or no file when the person creates one. The
 * text in the editor is replaced only after it was merged or stored.
 */
export function reduceSave(state: SaveState, event: SaveEvent): SaveStep {
  const { phase } = state;
  switch (event.kind) {
    case 'save':
      return saved(state, event.mine);
    case 'choose':
      if (phase.kind === 'conflict') return chosen(state, phase, event.choice, event.mine);
      return phase.kind === 'offered' ? offerChosen(state, event.choice, event.mine) : { state };
    case 'checked':
      return phase.kind === 'checking' ? checked(state, phase, event) : { state };
    case 'kept':
      return phase.kind === 'keeping' ? kept(state, phase, event) : { state };
    case 'sent':
      return phase.kind === 'sending' ? sent(state, phase, event) : { state };
    case 'seen':
      return seen(state, event);
  }
}

type Phase<Kind extends SavePhase['kind']> = Extract<SavePhase, { kind: Kind }>;
type Event<Kind extends SaveEvent['kind']> = Extract<SaveEvent, { kind: Kind }>;

function saved(state: SaveState, mine: string): SaveStep {
  const { phase, base, unsettled, remote } = state;
  switch (phase.kind) {
    case 'left':
      return { state };
    case 'checking':
    case 'sending':
    case 'keeping':
      return { state: { ...state, queued: mine } };
    case 'idle': {
      const isUnchanged = mine === base?.text && unsettled === undefined && !remote;
      return isUnchanged ? stopped(state, { kind: 'unchanged' }) : startSave(state, mine);
    }
    case 'conflict':
    case 'offered':
      return startSave(state, mine);
  }
}

function checked(
  state: SaveState,
  phase: Phase<'checking'>,
  { at, answer }: Event<'checked'>,
): SaveStep {
  const { mine, purpose } = phase;
  switch (answer.kind) {
    case 'failed':
      return stopped(state, { kind: 'unchecked', error: answer.error });
    case 'found':
      return foundSave(state, phase, answer.file, at);
    case 'missing': {
      const settled = { ...state, unsettled: undefined };
      if (state.base === undefined || purpose.kind === 'create') {
        return sending(settled, { mine, creating: true, by: 'put', replaces: undefined });
      }
      if (state.remote !== 'deleted') {
        return stopped({ ...settled, remote: 'deleted' }, { kind: 'deleted' });
      }
      return stopped(settled, { kind: 'offered' }, { kind: 'offered' });
    }
  }
}

function sent(state: SaveState, phase: Phase<'sending'>, event: Event<'sent'>): SaveStep {
  const { mine } = phase;
  const { at, result } = event;
  if (!result.ok) return unsent(state, phase, result.error);
  const modifiedAt = new Date(at).toISOString();
  const base = { bytes: bytesOf(mine), text: mine, modifiedAt };
  const replaced: ReplacedVersion = phase.replaces ?? 'none';
  const after = { ...state, base, unsettled: undefined, remote: undefined, replaced };
  return { ...stopped(after, { kind: 'saved', at, sent: true }), changedAt: at };
}

type Failure = Extract<Result<void>, { ok: false }>['error'];

function unsent(state: SaveState, phase: Phase<'sending'>, error: Failure): SaveStep {
  const { mine, creating, by } = phase;
  if (error.unknownOutcome) {
    return stopped({ ...state, unsettled: mine }, { kind: 'unknown', error });
  }
  if (error.code === 'not-found') {
    if (!creating) return stopped({ ...state, remote: 'deleted' }, { kind: 'deleted' });
    // Some services update existing files only; an upload creates the file.
    if (by === 'put') return sending(state, { mine, creating, by: 'upload', replaces: undefined });
  }
  return stopped(state, { kind: 'failed', error });
}

function chosen(
  state: SaveState,
  conflict: Phase<'conflict'>,
  choice: SaveChoice,
  mine: string,
): SaveStep {
  const { theirs } = conflict;
  switch (choice) {
    case 'keep editing':
      return { state: { ...state, phase: { kind: 'idle' } } };
    case 'merge':
      return merged(state, conflict, mine);
    case 'overwrite':
      return {
        state: { ...state, phase: { kind: 'keeping', whose: 'theirs', mine, conflict } },
        request: { kind: 'keep theirs', file: theirs, text: mine },
      };
    case 'take theirs':
      return {
        state: { ...state, phase: { kind: 'keeping', whose: 'mine', mine, conflict } },
        request: { kind: 'keep mine', text: mine },
      };
    case 'create':
      return { state };
  }
}

/** Merges the current text of the editor, which may have changed since the conflict was found. */
function merged(state: SaveState, { theirs }: Phase<'conflict'>, mine: string): SaveStep {
  if (theirs.text === undefined) return { state };
  const texts = { base: state.base?.text ?? '', mine, theirs: theirs.text };
  const merge = mergeTexts(texts);
  if (merge.kind === 'touching') {
    const counts = mergeCounts(texts, merge);
    return { state: { ...state, phase: { kind: 'conflict', theirs, counts } } };
  }
  const after = { ...state, base: theirs, remote: undefined };
  return { ...stopped(after, { kind: 'merged' }), show: { text: merge.text } };
}

function kept(state: SaveState, phase: Phase<'keeping'>, event: Event<'kept'>): SaveStep {
  const { conflict, whose, mine } = phase;
  if (!event.kept.ok) {
    const { sentence } = event.kept;
    return stopped(state, { kind: 'not kept', whose, sentence }, conflict);
  }
  const { theirs } = conflict;
  if (whose === 'theirs') return startSave(state, mine, { kind: 'overwrite', theirs });
  if (event.mine !== mine) return stopped(state, { kind: 'typed on' }, conflict);
  const after = { ...state, base: theirs, unsettled: undefined, remote: undefined };
  const left = theirs.text === undefined ? ({ kind: 'left' } as const) : undefined;
  return { ...stopped(after, { kind: 'taken' }, left), show: { text: theirs.text } };
}

function offerChosen(state: SaveState, choice: SaveChoice, mine: string): SaveStep {
  if (choice === 'create') return startSave(state, mine, { kind: 'create' });
  return { state: { ...state, phase: { kind: 'idle' } } };
}

/**
 * Follows the file on the service: a text without edits is replaced, any other one stays. A file that was
 * read before a save is ignored, because the save has compared it since; so is the version that the save
 * replaced, until the service has shown another one.
 */
function seen(before: SaveState, { base, answer, mine }: Event<'seen'>): SaveStep {
  const { phase, unsettled, remote } = before;
  const isCurrent = phase.kind === 'idle' && before.base === base && unsettled === undefined;
  if (!isCurrent || answer.kind === 'failed' || isReplaced(before, answer)) {
    return { state: before };
  }
  const state = before.replaced === undefined ? before : { ...before, replaced: undefined };
  if (answer.kind === 'missing') return known(state, 'deleted', { kind: 'gone' });
  const { file } = answer;
  if (isSame(file, base.bytes)) {
    return { state: remote === undefined ? state : { ...state, remote: undefined } };
  }
  if (isSame(file, bytesOf(mine))) {
    return { state: { ...state, base: { ...file, text: mine }, remote: undefined } };
  }
  const isText = file.text !== undefined && file.bytes.length <= maxEditedBytes;
  if (!isText || mine !== base.text) return known(state, 'changed', { kind: 'changed', isText });
  const after = { ...state, base: file, remote: undefined, outcome: { kind: 'reloaded' } as const };
  return { state: after, show: { text: file.text } };
}

/** Reports a change of the file on the service once. */
function known(state: SaveState, remote: RemoteChange, outcome: SaveOutcome): SaveStep {
  return { state: state.remote === remote ? state : { ...state, remote, outcome } };
}
