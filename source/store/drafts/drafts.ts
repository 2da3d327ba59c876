import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Clock } from '../time/clock.ts';
import {
  barePlace,
  type DraftPlace,
  type WriteResult,
  type LocalPlace,
  placeKey,
} from './places.ts';

/** A long text that is made piece by piece, as it is written: made at once, it would hold up keys. */
export interface LongText {
  /** Code units of all pieces. */
  readonly length: number;
  /** No piece ends within a code point. */
  pieces(): Iterable<string>;
}

export interface DraftContent {
  readonly text: string | LongText;
  /** The text it was opened from; undefined for a file that is new. */
  readonly base: string | undefined;
  /** When it was sent and no answer came, ms since the epoch: it may be on the service. */
  readonly sentAt?: number | undefined;
  /** What the text calls what it is about, to tell drafts apart; short. */
  readonly name?: string | undefined;
}

/** What there is a draft of, and since when it is what it is, ms since the epoch. */
export type DraftHead = DraftPlace &
  Pick<DraftContent, 'sentAt' | 'name'> & { readonly at: number };

/** Text that was typed and is not on the service. */
export type Draft = DraftHead & DraftContent & { readonly text: string };

/** Keeps drafts on this machine. */
export interface DraftKeeper {
  /** One head for each place that has a draft: of its newest one. */
  list(): Promise<readonly DraftHead[]>;
  /** This console's draft of a file; without one, the newest that another console has or left. */
  read(place: DraftPlace): Promise<Draft | undefined>;
  /** Replaces this console's draft of the file; the older one stays when that fails. */
  write(draft: DraftHead & DraftContent): Promise<WriteResult>;
  /** Removes what this console wrote or read there, never what a running one is still writing. */
  remove(place: DraftPlace): Promise<WriteResult>;
}

export interface DraftsState {
  /** By {@link placeKey}: drafts that were typed or kept, for marks and counts. */
  readonly drafts: ReadonlyMap<string, DraftHead>;
  /** By {@link placeKey}: why the newest text is not kept, until it is. */
  readonly failures: ReadonlyMap<string, string>;
}

export interface Drafts {
  readonly state: StoreApi<DraftsState>;
  /** Learns which drafts earlier consoles left. */
  load(): Promise<void>;
  /** The draft of a file: what was typed here, else what is kept. */
  read(place: DraftPlace): Promise<Draft | undefined>;
  /** Something was typed. `content` is asked when it is written, less than a second later. */
  typed(place: DraftPlace, content: () => DraftContent): void;
  /** The text is on the service, or given up: its draft goes. Later typing makes a new one. */
  saved(place: DraftPlace): Promise<void>;
  /** A file has another path now; its draft goes with it, unless there is one of that path. */
  moved(from: LocalPlace, to: LocalPlace): Promise<void>;
  /** Writes what waits, at once. Failures are in the state. */
  flush(): Promise<void>;
  /** Nothing is written by itself any more: what waits for room would keep the program running. */
  stop(): void;
}

/** Milliseconds from the first unkept character to the write: below a second with the write. */
const writeAfter = 800;
const retryAfter = 5000;

interface Entry {
  readonly place: DraftPlace;
  /** What is not written yet. */
  content: (() => DraftContent) | undefined;
  cancelTimer: (() => void) | undefined;
  /** How often something was typed: what was read is only given up when nothing came after it. */
  typings: number;
  /** How often the file was saved: a failed write brings nothing back from before. */
  saves: number;
  /** The count of saves before what was kept last was typed: a save removes nothing newer than itself. */
  keptAfter: number;
  /** What was started for this file, one after the other: nothing older overtakes. */
  last: Promise<void>;
}

/** Keeps what is typed, at most a second behind, whatever ends the program. */
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
      typings: 0,
      saves: 0,
      keptAfter: -1,
      last: Promise.resolve(),
    };
    entries.set(key, entry);
    return entry;
  }

  function mark(place: DraftPlace, head: DraftHead | undefined): void {
    const drafts = new Map(state.getState().drafts);
    if (head === undefined) drafts.delete(placeKey(place));
    else drafts.set(placeKey(place), headOf(head));
    state.setState({ drafts });
  }

  function settle(place: DraftPlace, kept: WriteResult): void {
    const before = state.getState().failures;
    const key = placeKey(place);
    if (kept.ok && !before.has(key)) return;
    const failures = new Map(before);
    if (kept.ok) failures.delete(key);
    else failures.set(key, kept.sentence);
    state.setState({ failures });
  }

  function stopTimer(entry: Entry): void {
    entry.cancelTimer?.();
    entry.cancelTimer = undefined;
  }

  function writeIn(entry: Entry, milliseconds: number): void {
    if (stopped) return;
    entry.cancelTimer ??= clock.after(milliseconds, () => {
      entry.cancelTimer = undefined;
      void write(entry);
    });
  }

  function write(entry: Entry): Promise<void> {
    return after(entry, async () => {
      const { content, place, saves } = entry;
      if (content === undefined) return;
      entry.content = undefined;
      stopTimer(entry);
      const draft = { ...place, ...content(), at: clock.now() };
      const kept = await keeper.write(draft);
      settle(place, kept);
      if (kept.ok) {
        entry.keptAfter = saves;
        mark(place, draft);
        return;
      }
      if (entry.saves !== saves) return;
      entry.content ??= content;
      writeIn(entry, retryAfter);
    });
  }

  const store: Drafts = {
    state,
    async load() {
      const heads = await keeper.list();
      const { drafts: typedHere } = state.getState();
      const kept = new Map(heads.map((head) => [placeKey(head), headOf(head)]));
      state.setState({ drafts: new Map([...kept, ...typedHere]) });
    },
    async read(place) {
      const entry = entryOf(place);
      await entry.last;
      const content = entry.content?.();
      if (content === undefined) return keeper.read(entry.place);
      const text = typeof content.text === 'string' ? content.text : wholeText(content.text);
      return { ...entry.place, ...content, text, at: clock.now() };
    },
    typed(place, content) {
      const entry = entryOf(place);
      entry.content = content;
      entry.typings += 1;
      writeIn(entry, writeAfter);
      if (!state.getState().drafts.has(placeKey(place))) {
        mark(entry.place, { ...entry.place, at: clock.now() });
      }
    },
    saved(place) {
      const entry = entryOf(place);
      const save = (entry.saves += 1);
      entry.content = undefined;
      stopTimer(entry);
      return after(entry, async () => {
        if (entry.keptAfter >= save) return;
        const removed = await keeper.remove(entry.place);
        const left = (await keeper.list()).find((head) => placeKey(head) === placeKey(place));
        if (entry.content !== undefined) return;
        settle(entry.place, removed);
        mark(entry.place, left);
      });
    },
    async moved(from, to) {
      const { drafts } = state.getState();
      if (!drafts.has(placeKey(from)) || drafts.has(placeKey(to))) return;
      const { typings } = entryOf(from);
      const draft = await store.read(from);
      if (draft === undefined) return;
      const { text, base } = draft;
      store.typed(to, () => ({ text, base }));
      await write(entryOf(to));
      // One that could not be written anew stays where it is, as does one that was typed on.
      const isThere = !state.getState().failures.has(placeKey(to));
      if (isThere && entryOf(from).typings === typings) await store.saved(from);
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

function after(entry: Entry, action: () => Promise<void>): Promise<void> {
  entry.last = entry.last.then(action);
  return entry.last;
}

function wholeText(text: LongText): string {
  return [...text.pieces()].join('');
}

/** Only the head: a state that holds texts would keep every draft in memory. */
export function headOf(head: DraftHead): DraftHead {
  const { at, sentAt, name } = head;
  return {
    ...barePlace(head),
    at,
    ...(sentAt !== undefined && { sentAt }),
    ...(name !== undefined && { name }),
  };
}

/** Says why drafts cannot be kept, like a full disk: once, and again when the reason is another one. */
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
