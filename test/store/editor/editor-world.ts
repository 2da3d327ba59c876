import { summariseSdl } from '../../../source/contract/sdl/reading.ts';
import { createClient } from '../../../source/client/http/connect.ts';
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

/** A person at an editor, whose way to the service can be meddled with. */
export interface EditorWorld extends AsyncDisposable {
  readonly proxy: MeddlingProxy;
  readonly editor: EditorStore;
  readonly drafts: Drafts;
  readonly trash: Trash;
  readonly outcomes: readonly SaveOutcome[];
  readonly changes: readonly LocalPlace[];
  /** Opens it and says why it was refused, if it was. */
  open(place: LocalPlace): Promise<string | undefined>;
  /** The text in the editor. */
  text(): string;
  type(text: string): void;
  act<T>(action: (text: TextEditor) => T): T;
  now(): SaveState;
  /** Lets time pass. */
  pass(milliseconds: number): Promise<void>;
  /** Another console on the same folder, as after a kill: what was not flushed is lost. */
  reopened(): Promise<EditorWorld>;
}

export interface EditorWorldOptions {
  readonly baseUrl: string;
  readonly token: string;
  /** Where drafts and the trash are kept; a new folder without it. */
  readonly state?: string;
  /** What a change leads to, which is waited for. */
  readonly onSaved?: () => Promise<void>;
}

const look = { show: (cluster: string) => cluster, measure: (shown: string) => shown.length };

/** Timers run only for what has to happen at once: nothing else waits for time, unless it is told to. */
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
    client: client.files,
    create: (sdl) => client.deployments.create(sdl),
    readSdl: async () => summariseSdl,
    clock,
    drafts,
    trash: kept.trash,
    writes: {
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
      // A write that has begun would make the folder anew.
      await drafts.flush();
    },
  };
}
