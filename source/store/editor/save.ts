import { createStore, type StoreApi } from 'zustand/vanilla';
import type { FileBody, FilesClient } from '../../client/client.ts';
import type { Clock } from '../time/clock.ts';
import type { WriteResult } from '../drafts/places.ts';
import { bytesOf } from './save-check.ts';
import { reduceSave } from './save-machine.ts';
import {
  type CheckAnswer,
  openedSave,
  type RemoteFile,
  type SaveChoice,
  type SaveEvent,
  type SaveRequest,
  type SaveState,
} from './save-state.ts';

/** One opened file, and what its saving needs of the rest. */
export interface EditorSaveOptions {
  readonly client: FilesClient;
  readonly clock: Clock;
  readonly deploymentId: string;
  readonly service: string;
  readonly path: string;
  /** What was opened, or what a draft was made from: the exact text. Undefined for a new file. */
  readonly base: { readonly text: string; readonly modifiedAt?: string | undefined } | undefined;
  /** The text in the editor, with the line ends and the byte order mark it is to be saved with. */
  readText(): string;
  /** Replaces the text in the editor; undefined when theirs is no text and nothing is left to edit. */
  showText(text: string | undefined): void;
  /** Keeps the text in the editor as a draft, now: it is about to be sent. */
  keepDraft(): Promise<void>;
  /** Keeps theirs on this machine before it is overwritten. */
  keepTheirs(file: RemoteFile): Promise<WriteResult>;
  /** Keeps mine on this machine before theirs takes its place in the editor. */
  keepMine(text: string): Promise<WriteResult>;
  /** The file on the service is another one than before, by us. It is said when this is settled. */
  onSaved(change: SavedChange): Promise<void> | void;
  /** A write begins that restarts have to wait for; the returned function ends it. */
  operation(deploymentId: string): () => void;
}

/** `at` is ms since the epoch. */
export interface SavedChange {
  readonly deploymentId: string;
  readonly service: string;
  readonly path: string;
  readonly at: number;
}

export interface EditorSave {
  readonly state: StoreApi<SaveState>;
  /** `^S`. Resolves when nothing is under way any more; the outcome is in the state. */
  save(): Promise<void>;
  /** A choice in the box of a conflict or of a deleted file; others change nothing. Resolves as {@link save}. */
  choose(choice: SaveChoice): Promise<void>;
  /** Abandons a check that is under way: then nothing is sent. A write is never abandoned. */
  cancel(): void;
}

/**
 * Saves a file that may be changed by others meanwhile. The service is asked for the file before
 * each write, and the bytes are compared. The API has no conditional write: what someone else writes
 * between that check and our write is overwritten, and nothing tells.
 */
export function createEditorSave(options: EditorSaveOptions): EditorSave {
  const { client, clock, deploymentId, service, path, base } = options;
  const state = createStore<SaveState>(() =>
    openedSave(base && { bytes: bytesOf(base.text), text: base.text, modifiedAt: base.modifiedAt }),
  );
  const mine = () => options.readText().toWellFormed();
  let underWay: Promise<unknown> = Promise.resolve();
  let check = new AbortController();
  let endOperation: (() => void) | undefined;

  async function perform(request: SaveRequest): Promise<SaveEvent> {
    switch (request.kind) {
      case 'check': {
        check = new AbortController();
        // An older draft would come back as if it was newer, when the program ends before its removal.
        const [answer] = await Promise.all([
          client.get(deploymentId, service, path, check.signal),
          options.keepDraft(),
        ]);
        return { kind: 'checked', at: clock.now(), answer: checkAnswer(answer) };
      }
      case 'put': {
        const result = await client.update(deploymentId, service, path, request.text);
        return { kind: 'sent', at: clock.now(), result };
      }
      case 'upload': {
        const bytes = bytesOf(request.text);
        const result = await client.upload(deploymentId, service, [{ path, source: { bytes } }]);
        return { kind: 'sent', at: clock.now(), result };
      }
      case 'keep theirs': {
        const kept = await keptTheirs(request.file);
        return { kind: 'kept', kept, mine: mine() };
      }
      case 'keep mine': {
        const kept = await options.keepMine(request.text);
        return { kind: 'kept', kept, mine: mine() };
      }
    }
  }

  async function keptTheirs(file: RemoteFile): Promise<WriteResult> {
    if (file.ambiguous !== true) return options.keepTheirs(file);
    const sentence = "The service's answer may contain more than the file.";
    return { ok: false, sentence };
  }

  async function drive(first: SaveEvent): Promise<void> {
    let event: SaveEvent | undefined = first;
    while (event !== undefined) {
      let step = reduceSave(state.getState(), event);
      const isSending = step.state.phase.kind === 'sending';
      if (isSending) endOperation ??= options.operation(deploymentId);
      if (step.changedAt !== undefined) {
        await options.onSaved({ deploymentId, service, path, at: step.changedAt });
        // A `^S` may have come meanwhile.
        step = reduceSave(state.getState(), event);
      }
      state.setState(step.state, true);
      if (step.show !== undefined) options.showText(step.show.text);
      if (!isSending) {
        endOperation?.();
        endOperation = undefined;
      }
      event = step.request && (await perform(step.request));
    }
  }

  async function begin(event: SaveEvent): Promise<void> {
    const running = Promise.all([underWay, drive(event)]);
    underWay = running;
    await running;
  }

  return {
    state,
    save: () => begin({ kind: 'save', mine: mine() }),
    choose: (choice) => begin({ kind: 'choose', choice, mine: mine() }),
    cancel: () => check.abort(),
  };
}

function checkAnswer(answer: Awaited<ReturnType<FilesClient['get']>>): CheckAnswer {
  if (answer.ok) return { kind: 'found', file: remoteOf(answer.value) };
  const { error } = answer;
  return error.code === 'not-found' ? { kind: 'missing' } : { kind: 'failed', error };
}

function remoteOf({ bytes, text, reading, modifiedAt }: FileBody): RemoteFile {
  return reading === 'certain'
    ? { bytes, text, modifiedAt }
    : { bytes, text: undefined, modifiedAt, ambiguous: true };
}
