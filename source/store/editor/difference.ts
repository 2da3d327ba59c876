import { createStore, type StoreApi } from 'zustand/vanilla';
import type { FileBody } from '../../client/file-content.ts';
import type { FilesClient } from '../../client/files.ts';
import type { Comparison } from '../../editor/diff-rows.ts';
import type { Clock } from '../time/clock.ts';
import type { Drafts } from '../drafts/drafts.ts';
import type { EditorStore } from './editor.ts';
import {
  type DraftPlace,
  fileNameOf,
  type LocalPlace,
  nameIn,
  placeKey,
} from '../drafts/places.ts';
import { formatTimeOfDay } from '../time/time-of-day.ts';
import { earlyPart, loadedOr } from '../../system/lazy-part.ts';

const diffRows = earlyPart(() => import('../../editor/diff-rows.ts'));

/** The difference between two unequal texts of one file. */
export interface Difference {
  readonly place: DraftPlace;
  /** Titles of the sides: `service at 14:02:11`, `draft of 13:58:02`. */
  readonly before: string;
  readonly after: string;
  readonly comparison: Comparison;
}

export interface DifferenceState {
  readonly shown: Difference | undefined;
  /** Index of the current change, from 0. */
  readonly change: number;
  /** Row that the reader has chosen, from 0; undefined while the current change is marked. */
  readonly row?: number | undefined;
  /** True for a side-by-side layout; undefined before the first drawing. */
  readonly beside: boolean | undefined;
}

/** The outcome of a comparison. */
export type DifferenceOpened =
  | { readonly kind: 'shown'; readonly difference: Difference }
  /** No difference to show; `failed` when the texts could not be compared. */
  | { readonly kind: 'none'; readonly sentence: string; readonly failed: boolean }
  /** A later comparison replaced this one. */
  | { readonly kind: 'superseded' };

export interface DifferenceStore {
  readonly state: StoreApi<DifferenceState>;
  /** Compares the unsaved text of a file with the service's current one; call `show` to show it. */
  ofDraft(place: LocalPlace): Promise<DifferenceOpened>;
  /** Compares two texts that are already loaded. */
  ofTexts(sides: Sides): Promise<DifferenceOpened>;
  show(difference: Difference): void;
  goToChange(change: number): void;
  /** Marks a row, and makes the change at or above it the current one. */
  chooseRow(row: number, change: number): void;
  laid(beside: boolean): void;
  close(): void;
}

/** Two texts to compare. */
export interface Sides extends Pick<Difference, 'place' | 'before' | 'after'> {
  readonly beforeText: string;
  readonly afterText: string;
}

const initialState: DifferenceState = { shown: undefined, change: 0, beside: undefined };

const noDifference = (sentence: string, failed: boolean): DifferenceOpened => ({
  kind: 'none',
  sentence,
  failed,
});

/** Creates the store of the shown difference; the diff code is loaded with the first comparison. */
export function createDifference(options: {
  readonly client: FilesClient;
  readonly clock: Clock;
  readonly drafts: Drafts;
  readonly editor: Pick<EditorStore, 'state'>;
}): DifferenceStore {
  const { client, clock, drafts, editor } = options;
  const state = createStore<DifferenceState>(() => initialState);
  let activeRequest = new AbortController();

  /** Returns the unsaved text of a file: from the open editor, else from its draft. */
  async function typedText(place: LocalPlace): Promise<{ text: string; name: string } | undefined> {
    const { file, unsaved } = editor.state.getState();
    if (file !== undefined && unsaved && placeKey(file.place) === placeKey(place)) {
      return { text: file.text.text(), name: 'your text in the editor' };
    }
    const draft = await drafts.read(place);
    return draft && { text: draft.text, name: `draft of ${formatTimeOfDay(draft.at)}` };
  }

  async function compare(sides: Sides, signal: AbortSignal): Promise<DifferenceOpened> {
    const { place, before, after, beforeText, afterText } = sides;
    const name = fileNameOf(place);
    if (beforeText === afterText) {
      return noDifference(`No difference: the service already has your ${name}.`, false);
    }
    if (isTooLong(beforeText) || isTooLong(afterText)) {
      return noDifference(`${name} has more than 300,000 lines, too many to compare.`, true);
    }
    const part = await loadedOr((sentence) => noDifference(sentence, true), diffRows);
    if ('kind' in part) return part;
    // Let the pending message be drawn before a slow comparison.
    await new Promise<void>((resolve) => void clock.after(0, resolve));
    if (signal.aborted) return { kind: 'superseded' };
    const comparison = part.compareTexts(beforeText, afterText);
    return { kind: 'shown', difference: { place, before, after, comparison } };
  }

  function restart(): AbortSignal {
    activeRequest.abort();
    activeRequest = new AbortController();
    return activeRequest.signal;
  }

  return {
    state,
    async ofDraft({ deploymentId, service, path }) {
      const signal = restart();
      const place = { deploymentId, service, path };
      const typed = await typedText(place);
      if (signal.aborted) return { kind: 'superseded' };
      if (typed === undefined) return noDifference(`No draft of ${nameIn(path)}.`, false);
      const answer = await client.get(deploymentId, service, path, signal);
      if (signal.aborted) return { kind: 'superseded' };
      if (!answer.ok) {
        return noDifference(`${answer.error.sentence} ${answer.error.next}`.trim(), true);
      }
      const text = certainText(answer.value);
      if (text === undefined) return noDifference(unreadable(answer.value), true);
      const before = `service at ${formatTimeOfDay(clock.now())}`;
      const sides = { beforeText: text, afterText: typed.text, before, after: typed.name };
      return compare({ place, ...sides }, signal);
    },
    ofTexts: async (sides) => compare(sides, restart()),
    show(difference) {
      state.setState({ shown: difference, change: 0, row: undefined });
    },
    laid(beside) {
      // The layouts number their rows differently.
      state.setState({ beside, row: undefined });
    },
    goToChange(change) {
      state.setState({ change, row: undefined });
    },
    chooseRow(row, change) {
      state.setState({ row, change });
    },
    close() {
      activeRequest.abort();
      state.setState(initialState);
    },
  };
}

/** Largest number of lines to compare; more would delay keys noticeably. */
const maxLines = 300_000;

function isTooLong(text: string): boolean {
  let ends = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === lineFeed || (code === carriageReturn && text.charCodeAt(at + 1) !== lineFeed)) {
      ends += 1;
    }
  }
  return ends > maxLines;
}

const lineFeed = 10;
const carriageReturn = 13;

function certainText({ text, certainty }: FileBody): string | undefined {
  return certainty === 'certain' ? text : undefined;
}

function unreadable({ path, text }: FileBody): string {
  const name = nameIn(path);
  return text === undefined
    ? `${name} is binary on the service and can't be compared.`
    : `${name} can't be compared: the service's answer may contain more than the file.`;
}
