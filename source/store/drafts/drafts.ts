import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Clock } from '../time/clock.ts';
import {
  barePlace,
  type DraftPlace,
  type WriteResult,
  type LocalPlace,
  placeKey,
} from './places.ts';

/** A long text produced piece by piece while it is written, so that keys are handled meanwhile. */
export interface LongText {
  /** Length of all pieces in code units. */
  readonly length: number;
  /** Yields the pieces; none of them splits a code point. */
  pieces(): Iterable<string>;
}

export interface DraftContent {
  readonly text: string | LongText;
  /** The service's text that the draft is based on; undefined for a new file. */
  readonly base: string | undefined;
  /** Time of a save without an answer, ms since the epoch; the service may have the text. */
  readonly sentAt?: number | undefined;
  /** Short name taken from the text, to tell drafts apart. */
  readonly name?: string | undefined;
}

/** A draft without its text; `at` is the time of its last change, ms since the epoch. */
export type DraftHead = DraftPlace &
  Pick<DraftContent, 'sentAt' | 'name'> & { readonly at: number };

/** A typed text that is not saved to the service. */
export type Draft = DraftHead & DraftContent & { readonly text: string };

/** Stores drafts on this machine. */
export interface DraftKeeper {
  /** Returns the head of the newest draft of each place. */
  list(): Promise<readonly DraftHead[]>;
  /** Returns this console's draft of a place, else the newest draft of another console. */
  read(place: DraftPlace): Promise<Draft | undefined>;
  /** Replaces this console's draft of the place; the older draft stays after a failure. */
  write(draft: DraftHead & DraftContent): Promise<WriteResult>;
  /** Removes the drafts that this console wrote or read, never one that another console is writing. */
  remove(place: DraftPlace): Promise<WriteResult>;
}

export interface DraftsState {
  /** Heads of all drafts, stored or not, by {@link placeKey}. */
  readonly drafts: ReadonlyMap<string, DraftHead>;
  /** Reasons why the newest text is not stored, by {@link placeKey}. */
  readonly failures: ReadonlyMap<string, string>;
}

export interface Drafts {
  readonly state: StoreApi<DraftsState>;
  /** Loads the heads of drafts that earlier consoles left. */
  load(): Promise<void>;
  /** Returns the draft of a place: the unwritten text, else the stored one. */
  read(place: DraftPlace): Promise<Draft | undefined>;
  /** Schedules a write after typing; `content` is called at the write, less than a second later. */
  typed(place: DraftPlace, content: () => DraftContent): void;
  /** Removes the draft of a saved or discarded text. Later typing starts a new draft. */
  saved(place: DraftPlace): Promise<void>;
  /** Moves the draft of a moved file, unless the new path already has a draft. */
  moved(from: LocalPlace, to: LocalPlace): Promise<void>;
  /** Writes all unwritten texts now. Failures are in the state. */
  flush(): Promise<void>;
  /** Stops all timers, because a retry on a full disk would keep the program running. */
  stop(): void;
}

/** Milliseconds from the first unwritten character to the write; the write ends within a second. */
const writeDelay = 800;
const retryDelay = 5000;

interface Entry {
  readonly place: DraftPlace;
  /** The unwritten text. */
  content: (() => DraftContent) | undefined;
  cancelTimer: (() => void) | undefined;
  /** Number of edits; a move removes the old draft only when none was made meanwhile. */
  edits: number;
  /** Number of saves; a failed write of an older text is not retried after a save. */
  saves: number;
  /** Value of `saves` when the stored text was typed; a save removes no newer text. */
  savesAtWrite: number;
  /** The last operation of this entry; operations run one after the other. */
  last: Promise<void>;
}

/** Creates the store of drafts, which writes typed text to the keeper within a second. */
export function createDrafts(options: {
  readonly keeper: DraftKeeper;
  readonly clock: Clock;
}): Drafts {
  const { keeper, clock } = options;
  const state = createStore<DraftsState>(() => ({ drafts: new Map(), failures: new Map() }));
  const entries = new Map<string, Entry>();
  let stopped = false;

  function entryOf(place: DraftPlace): Entry {
    const key = placeKey(place);
    const entry = entries.get(key) ?? {
      place: barePlace(place),
      content: undefined,
      cancelTimer: undefined,
      edits: 0,
      saves: 0,
      savesAtWrite: -1,
      last: Promise.resolve(),
    };
    entries.set(key, entry);
    return entry;
  }

  function setHead(place: DraftPlace, head: DraftHead | undefined): void {
    const drafts = new Map(state.getState().drafts);
    if (head === undefined) drafts.delete(placeKey(place));
    else drafts.set(placeKey(place), headOf(head));
    state.setState({ drafts });
  }

  function setFailure(place: DraftPlace, result: WriteResult): void {
    const before = state.getState().failures;
    const key = placeKey(place);
    if (result.ok && !before.has(key)) return;
    const failures = new Map(before);
    if (result.ok) failures.delete(key);
    else failures.set(key, result.sentence);
    state.setState({ failures });
  }

  function stopTimer(entry: Entry): void {
    entry.cancelTimer?.();
    entry.cancelTimer = undefined;
  }

  function scheduleWrite(entry: Entry, milliseconds: number): void {
    if (stopped) return;
    entry.cancelTimer ??= clock.after(milliseconds, () => {
      entry.cancelTimer = undefined;
      void write(entry);
    });
  }

  function write(entry: Entry): Promise<void> {
    return enqueue(entry, async () => {
      const { content, place, saves } = entry;
      if (content === undefined) return;
      entry.content = undefined;
      stopTimer(entry);
      const draft = { ...place, ...content(), at: clock.now() };
      const result = await keeper.write(draft);
      setFailure(place, result);
      if (result.ok) {
        entry.savesAtWrite = saves;
        setHead(place, draft);
        return;
      }
      if (entry.saves !== saves) return;
      entry.content ??= content;
      scheduleWrite(entry, retryDelay);
    });
  }

  const store: Drafts = {
    state,
    async load() {
      const heads = await keeper.list();
      const { drafts: ownDrafts } = state.getState();
      const stored = new Map(heads.map((head) => [placeKey(head), headOf(head)]));
      state.setState({ drafts: new Map([...stored, ...ownDrafts]) });
    },
    async read(place) {
      const entry = entryOf(place);
      await entry.last;
      const content = entry.content?.();
      if (content === undefined) return keeper.read(entry.place);
      const text = typeof content.text === 'string' ? content.text : joinPieces(content.text);
      return { ...entry.place, ...content, text, at: clock.now() };
    },
    typed(place, content) {
      const entry = entryOf(place);
      entry.content = content;
      entry.edits += 1;
      scheduleWrite(entry, writeDelay);
      if (!state.getState().drafts.has(placeKey(place))) {
        setHead(entry.place, { ...entry.place, at: clock.now() });
      }
    },
    saved(place) {
      const entry = entryOf(place);
      const save = (entry.saves += 1);
      entry.content = undefined;
      stopTimer(entry);
      return enqueue(entry, async () => {
        if (entry.savesAtWrite >= save) return;
        const removed = await keeper.remove(entry.place);
        const remaining = (await keeper.list()).find((head) => placeKey(head) === placeKey(place));
        if (entry.content !== undefined) return;
        setFailure(entry.place, removed);
        setHead(entry.place, remaining);
      });
    },
    async moved(from, to) {
      const { drafts } = state.getState();
      if (!drafts.has(placeKey(from)) || drafts.has(placeKey(to))) return;
      const { edits } = entryOf(from);
      const draft = await store.read(from);
      if (draft === undefined) return;
      const { text, base } = draft;
      // An open editor may have typed on at the new path, from this text.
      if (!state.getState().drafts.has(placeKey(to))) store.typed(to, () => ({ text, base }));
      await write(entryOf(to));
      // Keep the old draft when the write failed or the text was edited meanwhile.
      const isWritten = !state.getState().failures.has(placeKey(to));
      if (isWritten && entryOf(from).edits === edits) await store.saved(from);
    },
    async flush() {
      await Promise.all(Array.from(entries.values(), (entry) => write(entry)));
    },
    stop() {
      stopped = true;
      for (const entry of entries.values()) stopTimer(entry);
    },
  };
  return store;
}

function enqueue(entry: Entry, action: () => Promise<void>): Promise<void> {
  entry.last = entry.last.then(action);
  return entry.last;
}

function joinPieces(text: LongText): string {
  return [...text.pieces()].join('');
}

/** Returns the head alone, so that the state does not hold the texts of all drafts in memory. */
export function headOf(head: DraftHead): DraftHead {
  const { at, sentAt, name } = head;
  return {
    ...barePlace(head),
    at,
    ...(sentAt !== undefined && { sentAt }),
    ...(name !== undefined && { name }),
  };
}

/** Reports why a draft can't be stored, like a full disk: once for each new reason. */
export function notifyUnsavedDrafts(
  { state }: Pick<Drafts, 'state'>,
  say: (sentence: string) => void,
): () => void {
  return state.subscribe(({ failures }, before) => {
    for (const [key, sentence] of failures) {
      if (before.failures.get(key) !== sentence) say(sentence);
    }
  });
}
