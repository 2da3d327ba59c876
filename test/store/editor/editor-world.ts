import { summariseSdl } from '../../../source/contract/sdl/reading.ts';
import { createClient } from '../../../source/client/client.ts';
import { openLocalState } from '../../support/local-state.ts';
import type { Clock } from '../../../source/store/time/clock.ts';
import { createDrafts, type Drafts } from '../../../source/store/drafts/drafts.ts';
import { createEditor, type EditorStore } from '../../../source/store/editor/editor.ts';
import type { LocalPlace } from '../../../source/store/drafts/places.ts';
import type { SaveOutcome, SaveState } from '../../../source/store/editor/save-state.ts';
import type { Trash } from '../../../source/store/drafts/trash.ts';
import type { TextEditor } from '../../../source/editor/text-editor.ts';
import { createTestClock } from '../../support/clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type MeddlingProxy, startMeddlingProxy } from '../../servers/meddling-proxy.ts';

/** An editor whose connection to the service can be disturbed. */
export interface EditorWorld extends AsyncDisposable {
  readonly proxy: MeddlingProxy;
  readonly editor: EditorStore;
  readonly drafts: Drafts;
  readonly trash: Trash;
  readonly outcomes: readonly SaveOutcome[];
  readonly changes: readonly LocalPlace[];
  /** Opens a file; resolves with the sentence of a refusal. */
  open(place: LocalPlace): Promise<string | undefined>;
  /** Returns the text in the editor. */
  text(): string;
  type(text: string): void;
  act<T>(action: (text: TextEditor) => T): T;
  now(): SaveState;
  /** Advances the clock. */
  pass(milliseconds: number): Promise<void>;
  /** Creates another console on the same folder, as after a kill; unwritten text is lost. */
  reopened(): Promise<EditorWorld>;
}

export interface EditorWorldOptions {
  readonly baseUrl: string;
  readonly token: string;
  /** Folder of drafts and trash; a new one by default. */
  readonly state?: string;
  /** Called after a change; a save waits for it. */
  readonly onSaved?: () => Promise<void>;
}

const look = { show: (cluster: string) => cluster, measure: (shown: string) => shown.length };

/** Creates a clock that runs timers of 0 ms at once and others only by `pass`. */
function stillClock(): Clock & { pass(milliseconds: number): Promise<void> } {
  const clock = createTestClock(1000);
  return {
    now: () => clock.now(),
    pass: (milliseconds) => clock.advance(milliseconds),
    after: (milliseconds, action) => {
      if (milliseconds > 0) return clock.after(milliseconds, action);
      setImmediate(action);
      return () => undefined;
    },
  };
}

export async function startEditorWorld(options: EditorWorldOptions): Promise<EditorWorld> {
  const state = options.state ?? temporaryFolder();
  const proxy = await startMeddlingProxy(options.baseUrl);
  const client = createClient({ baseUrl: proxy.baseUrl, token: options.token });
  const kept = openLocalState(state, options.baseUrl);
  const clock = stillClock();
  const drafts = createDrafts({ keeper: kept.drafts, clock });
  const outcomes: SaveOutcome[] = [];
  const changes: LocalPlace[] = [];
  const editor = createEditor({
    locks: kept.locks,
    onTakenOver() {},
    client: client.files,
    create: (sdl) => client.deployments.create(sdl),
    readSdl: async () => summariseSdl,
    clock,
    drafts,
    trash: kept.trash,
    writes: {
      async intend() {},
      notChanged() {},
      operation: () => () => undefined,
      async fileChanged(file) {
        changes.push(file);
        await options.onSaved?.();
      },
    },
    onSaved() {},
    onOutcome: (_, outcome) => outcomes.push(outcome),
  });
  const act = <T>(action: (text: TextEditor) => T): T => {
    const result = editor.act((text) => ({ value: action(text) }));
    if (result === undefined) throw new Error('nothing is open');
    return result.value;
  };
  const stop = async (): Promise<void> => {
    await client.close();
    await proxy.close();
  };
  return {
    proxy,
    editor,
    drafts,
    trash: kept.trash,
    outcomes,
    changes,
    async open(place) {
      const opened = await editor.open(place, look);
      if (opened.kind === 'superseded') throw new Error('something else was opened');
      return opened.kind === 'refused' ? opened.sentence : undefined;
    },
    text: () => act((text) => text.text()),
    type: (typed) => act((text) => text.insert(typed)),
    act,
    now() {
      const { file } = editor.state.getState();
      if (file === undefined) throw new Error('nothing is open');
      return file.saving.state.getState();
    },
    pass: (milliseconds) => clock.pass(milliseconds),
    async reopened() {
      await stop();
      return startEditorWorld({ ...options, state });
    },
    async [Symbol.asyncDispose]() {
      await stop().catch(() => undefined);
      // A write in progress would create the folder again.
      await drafts.flush();
    },
  };
}
