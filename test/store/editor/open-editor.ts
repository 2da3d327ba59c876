import { onTestFinished } from 'vitest';
import type { FilesClient } from '../../../source/client/files.ts';
import { summariseSdl } from '../../../source/contract/sdl/reading.ts';
import { createClient } from '../../../source/client/client.ts';
import { createDrafts } from '../../../source/store/drafts/drafts.ts';
import { createEditor, type EditorStore } from '../../../source/store/editor/editor.ts';
import type { LocalPlace } from '../../../source/store/drafts/places.ts';
import type { SaveOutcome } from '../../../source/store/editor/save-state.ts';
import { createTestClock, type TestClock } from '../../support/clock.ts';
import { type Foreign, type ForeignOptions, startForeign } from '../../servers/foreign.ts';
import { temporaryKept } from '../../support/temporary-state.ts';

/** Delays requests of one kind until the test releases them. */
export interface Gate {
  /** Delays requests; the returned function releases the waiting and all later ones. */
  readonly hold: () => () => void;
}

/** An editor on a foreign service over real sockets, with its own folder of drafts. */
export interface OpenedEditor {
  readonly foreign: Foreign;
  readonly editor: EditorStore;
  readonly clock: TestClock;
  readonly kept: ReturnType<typeof temporaryKept>;
  readonly outcomes: SaveOutcome['kind'][];
  /** Number of reported changes, and of operations that have not ended. */
  readonly changes: string[];
  readonly underWay: () => number;
  readonly reads: Gate;
  readonly writes: Gate;
  /** Returns the place of a file in the service `web` of the sample. */
  readonly place: (path: string) => LocalPlace;
  /** Creates another editor on the same service and folder, like the next console. */
  readonly again: () => Pick<OpenedEditor, 'editor' | 'outcomes'>;
}

export const look = {
  show: (cluster: string) => cluster,
  measure: (shown: string) => shown.length,
};

export async function openEditor(service: Partial<ForeignOptions> = {}): Promise<OpenedEditor> {
  const foreign = await startForeign({ pathForm: 'both', ...service });
  const connection = createClient({ baseUrl: foreign.baseUrl, token: foreign.token });
  const { files } = connection;
  onTestFinished(async () => {
    await connection.close();
    await foreign.close();
  });
  const clock = createTestClock();
  const kept = temporaryKept();
  const [reads, waitToRead] = gate();
  const [writes, waitToWrite] = gate();
  const changes: string[] = [];
  let underWay = 0;
  const client: FilesClient = {
    ...files,
    async get(...asked) {
      await waitToRead();
      return files.get(...asked);
    },
    async update(...asked) {
      await waitToWrite();
      return files.update(...asked);
    },
  };
  function again(): Pick<OpenedEditor, 'editor' | 'outcomes'> {
    const outcomes: SaveOutcome['kind'][] = [];
    const editor = createEditor({
      locks: kept.locks,
      onTakenOver() {},
      client,
      create: (sdl) => connection.deployments.create(sdl),
      readSdl: async () => summariseSdl,
      clock,
      trash: kept.trash,
      drafts: createDrafts({ keeper: kept.drafts, clock }),
      writes: {
        async intend() {},
        notChanged() {},
        operation() {
          underWay += 1;
          return () => {
            underWay -= 1;
          };
        },
        async fileChanged({ path }) {
          changes.push(path);
        },
      },
      onSaved() {},
      onOutcome: (_, outcome) => outcomes.push(outcome.kind),
    });
    return { editor, outcomes };
  }
  return {
    foreign,
    clock,
    kept,
    changes,
    underWay: () => underWay,
    reads,
    writes,
    place: (path) => ({ deploymentId: foreign.sample, service: 'web', path }),
    again,
    ...again(),
  };
}

function gate(): [Gate, () => Promise<void>] {
  let opened = Promise.resolve();
  const hold = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    opened = promise;
    return resolve;
  };
  return [{ hold }, () => opened];
}
