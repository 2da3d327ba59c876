import { createStore, type StoreApi } from 'zustand/vanilla';
import type { FileBody } from '../../client/file-content.ts';
import type { FilesClient } from '../../client/files.ts';
import type { Clock } from '../time/clock.ts';
import type { FileWrites } from '../drafts/file-writes.ts';
import type { LocalPlace, WriteResult } from '../drafts/places.ts';
import { bytesOf, isReplaced } from './save-check.ts';
import { reduceSave } from './save-machine.ts';
import {
  type CheckAnswer,
  openedSave,
  type RemoteChange,
  type RemoteFile,
  type SaveChoice,
  type SaveEvent,
  type SaveRequest,
  type SaveState,
} from './save-state.ts';

/** The file to save, and the editor's side of a save. */
export interface EditorSaveOptions {
  readonly client: FilesClient;
  readonly clock: Clock;
  /** Returns the place of the file on the service, which a move changes. */
  place(): LocalPlace;
  /** Exact text that was opened or that the draft is based on; undefined for a new file. */
  readonly base: { readonly text: string; readonly modifiedAt?: string | undefined } | undefined;
  /** Change of the file on the service that is known at the opening. */
  readonly remote?: RemoteChange | undefined;
  /** Returns the editor's text with its line ends and its byte order mark. */
  readText(): string;
  /** Replaces the editor's text; undefined when their version is not text. */
  showText(text: string | undefined): void;
  /** Writes the editor's text as a draft before it is sent. */
  keepDraft(): Promise<void>;
  /** Copies their version to the trash before `text` overwrites it. */
  keepTheirs(file: RemoteFile, text: string): Promise<WriteResult>;
  /**
   * Copies the earlier version to the trash before `text` replaces it, for the undo. Resolves with a
   * function that removes the copy of a save that was refused.
   */
  keepEarlier(file: RemoteFile, text: string): Promise<() => Promise<void>>;
  /** Stores my version before theirs replaces it in the editor. */
  keepMine(text: string): Promise<WriteResult>;
  /** Receives the report of each write; the outcome is reported after it is settled. */
  readonly writes: FileWrites;
  /** Called when this save changed the file on the service. */
  onSaved(file: LocalPlace): void;
}

export interface EditorSave {
  readonly state: StoreApi<SaveState>;
  /** Saves the text (`^S`). Resolves when no request is in flight; the outcome is in the state. */
  save(): Promise<void>;
  /** Answers the box of a conflict or of a deleted file. Resolves like {@link save}. */
  choose(choice: SaveChoice): Promise<void>;
  /**
   * Reads the file on the service, and shows it if nothing was typed. Resolves with false when it could
   * not be read, or only as it was before the last save; does nothing during a save, which compares the
   * file itself.
   */
  follow(): Promise<boolean>;
  /** Notes another write of this program, which may bring back the version from before the last save. */
  noteWritten(): void;
  /** Aborts a check in flight, so that nothing is sent. A write is never aborted. */
  cancel(): void;
}

/**
 * Creates the save of a file that others may change meanwhile. Each write follows a check that fetches
 * the file and compares its bytes. The API has no conditional write, so a change between the check
 * and the write is overwritten without notice.
 */
export function createEditorSave(options: EditorSaveOptions): EditorSave {
  const { client, clock, base } = options;
  const state = createStore<SaveState>(() =>
    openedSave(
      base && { bytes: bytesOf(base.text), text: base.text, modifiedAt: base.modifiedAt },
      options.remote,
    ),
  );
  const mine = () => options.readText().toWellFormed();
  let underWay: Promise<unknown> = Promise.resolve();
  let check = new AbortController();
  let endOperation: (() => void) | undefined;

  async function perform(request: SaveRequest): Promise<SaveEvent> {
    const place = options.place();
    const { deploymentId, service, path } = place;
    switch (request.kind) {
      case 'check': {
        check = new AbortController();
        // If the program ends after the write, an older draft on disk would look like a newer text.
        const [answer] = await Promise.all([
          client.get(deploymentId, service, path, check.signal),
          options.keepDraft(),
        ]);
        return { kind: 'checked', at: clock.now(), answer: checkAnswer(answer) };
      }
      case 'put': {
        const { text, earlier } = request;
        const isKept = earlier !== undefined && earlier.ambiguous !== true;
        const refused = isKept ? await options.keepEarlier(earlier, text) : undefined;
        await options.writes.intend(place, { kind: 'written', content: bytesOf(text) });
        const result = await client.update(deploymentId, service, path, text);
        if (!result.ok && !result.error.unknownOutcome) {
          options.writes.notChanged(place);
          await refused?.();
        }
        return { kind: 'sent', at: clock.now(), result };
      }
      case 'upload': {
        const bytes = bytesOf(request.text);
        await options.writes.intend(place, { kind: 'written', content: bytes });
        const result = await client.upload(deploymentId, service, [{ path, source: { bytes } }]);
        if (!result.ok && !result.error.unknownOutcome) options.writes.notChanged(place);
        return { kind: 'sent', at: clock.now(), result };
      }
      case 'keep theirs': {
        const kept = await keptTheirs(request.file, request.text);
        return { kind: 'kept', kept, mine: mine() };
      }
      case 'keep mine': {
        const kept = await options.keepMine(request.text);
        return { kind: 'kept', kept, mine: mine() };
      }
    }
  }

  async function keptTheirs(file: RemoteFile, text: string): Promise<WriteResult> {
    if (file.ambiguous !== true) return options.keepTheirs(file, text);
    const sentence = "The service's answer may contain more than the file.";
    return { ok: false, sentence };
  }

  async function drive(first: SaveEvent): Promise<void> {
    let event: SaveEvent | undefined = first;
    while (event !== undefined) {
      let step = reduceSave(state.getState(), event);
      const isSending = step.state.phase.kind === 'sending';
      const place = options.place();
      if (isSending) endOperation ??= options.writes.operation(place.deploymentId);
      if (step.changedAt !== undefined) {
        const reported = options.writes.fileChanged(place);
        options.onSaved(place);
        await reported;
        // A `^S` may have been pressed meanwhile.
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
    async follow() {
      const now = state.getState();
      if (now.base === undefined || now.phase.kind !== 'idle') return true;
      const { deploymentId, service, path } = options.place();
      const answer = checkAnswer(await client.get(deploymentId, service, path));
      await drive({ kind: 'seen', base: now.base, answer, mine: mine() });
      return answer.kind !== 'failed' && !isReplaced(state.getState(), answer);
    },
    noteWritten: () => state.setState({ replaced: undefined }),
    cancel: () => check.abort(),
  };
}

function checkAnswer(answer: Awaited<ReturnType<FilesClient['get']>>): CheckAnswer {
  if (answer.ok) return { kind: 'found', file: remoteOf(answer.value) };
  const { error } = answer;
  return error.code === 'not-found' ? { kind: 'missing' } : { kind: 'failed', error };
}

function remoteOf({ bytes, text, certainty, modifiedAt }: FileBody): RemoteFile {
  return certainty === 'certain'
    ? { bytes, text, modifiedAt }
    : { bytes, text: undefined, modifiedAt, ambiguous: true };
}
