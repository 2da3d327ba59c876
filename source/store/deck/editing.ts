import type { Client } from '../../client/client.ts';
import type { Clock } from '../time/clock.ts';
import type { Drafts } from '../drafts/drafts.ts';
import type { DraftLocks } from '../drafts/locks.ts';
import { fileNameOf } from '../drafts/places.ts';
import { createEditor, type EditorStore } from '../editor/editor.ts';
import type { FilesStore } from '../files/files.ts';
import { countingSentence } from '../restarts/sentences.ts';
import type { RestartsStore } from '../restarts/restarts.ts';
import { saveSentence } from '../editor/save-sentence.ts';
import type { DeploymentsHandle, MessagesHandle } from './handles.ts';
import { formatTimeOfDay } from '../time/time-of-day.ts';
import type { Trash } from '../drafts/trash.ts';
import { lazyPart } from '../../system/lazy-part.ts';

const sdlReading = lazyPart(() => import('../../contract/sdl/reading.ts'));

export interface EditingOptions {
  readonly client: Pick<Client, 'files' | 'deployments'>;
  readonly clock: Clock;
  readonly drafts: Drafts;
  readonly locks: DraftLocks;
  readonly trash: Trash;
  readonly restarts: RestartsStore;
  readonly files: Pick<FilesStore, 'noteSaved'>;
  /** Host of the service, for the sentence on a missing answer. */
  readonly host: string;
  readonly deployments: Pick<DeploymentsHandle, 'label'>;
  readonly messages: MessagesHandle;
}

/** Creates the editor; a saved file starts the restart countdown and shows a message. */
export function createEditing(options: EditingOptions): EditorStore {
  const { client, clock, drafts, trash, restarts, host, deployments, messages } = options;
  return createEditor({
    client: client.files,
    create: (sdl) => client.deployments.create(sdl),
    readSdl: async () => (await sdlReading()).summariseSdl,
    clock,
    drafts,
    locks: options.locks,
    onTakenOver(place, pid) {
      const text = `${fileNameOf(place)} was taken over by another hostdeck (pid ${pid}).`;
      messages.say(`${text} Your text stays a draft.`, 'bad');
    },
    trash,
    writes: restarts,
    onSaved: (file) => options.files.noteSaved(file),
    onOutcome({ deploymentId, path }, outcome) {
      const restart = restarts.state.getState().get(deploymentId);
      const time = outcome.kind === 'saved' ? formatTimeOfDay(outcome.at) : '';
      const countdown = countingSentence(deployments.label(deploymentId), restart);
      const { text, tone } = saveSentence(outcome, { path, host, time, restart: countdown });
      messages.say(text, tone);
    },
  });
}
