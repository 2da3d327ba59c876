import { createStore, type StoreApi } from 'zustand/vanilla';
import type { FileBody, FilesClient } from '../../client/client.ts';
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

/** Two texts of one file with what differs between them; it is there only where something does. */
export interface Difference {
  readonly place: DraftPlace;
  /** What each side is: `service at 14:02:11`, `draft of 13:58:02`. */
  readonly before: string;
  readonly after: string;
  readonly comparison: Comparison;
}

export interface DifferenceState {
  readonly shown: Difference | undefined;
  /** The change that was gone to last, from 0. */
  readonly change: number;
  /** Whether the sides stand beside each other; undefined until they are drawn. */
  readonly beside: boolean | undefined;
}

/** What came of comparing. */
export type DifferenceOpened =
  | { readonly kind: 'shown'; readonly difference: Difference }
  /** There is nothing to be shown, and why; `failed` where it could not be found out. */
  | { readonly kind: 'none'; readonly sentence: string; readonly failed: boolean }
  /** Something else was compared meanwhile. */
  | { readonly kind: 'superseded' };

export interface DifferenceStore {
  readonly state: StoreApi<DifferenceState>;
  /**
   * Compares what was typed and not saved with the file as the service has it now. Nothing is shown
   * before `show`.
   */
  ofDraft(place: LocalPlace): Promise<DifferenceOpened>;
  /** Compares a text of the service that is at hand with the one in the editor. */
  ofTexts(sides: Sides): Promise<DifferenceOpened>;
  show(difference: Difference): void;
  goToChange(change: number): void;
  laid(beside: boolean): void;
  close(): void;
}

/** Two texts before they are compared. */
export interface Sides extends Pick<Difference, 'place' | 'before' | 'after'> {
  readonly beforeText: string;
  readonly afterText: string;
}

const nothing: DifferenceState = { shown: undefined, change: 0, beside: undefined };

const none = (sentence: string, failed: boolean): DifferenceOpened => ({
  kind: 'none',
  sentence,
  failed,
});

/** What differs between a draft and the service. What compares is loaded with the first one. */
export function createDifference(options: {
  readonly client: FilesClient;
  readonly clock: Clock;
  readonly drafts: Drafts;
  readonly editor: Pick<EditorStore, 'state'>;
}): DifferenceStore {
  const { client, clock, drafts, editor } = options;
  const state = createStore<DifferenceState>(() => nothing);
  let fetching = new AbortController();

  /** What was typed: of the open editor where that is the file, else of the draft. */
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
      return none(`Your text of ${name} is what the service has.`, false);
    }
    if (isTooLong(beforeText) || isTooLong(afterText)) {
      return none(`${name} has more than 300,000 lines: too many to compare here.`, true);
    }
    const { compareTexts } = await import('../../editor/diff-rows.ts');
    // What was said so far is drawn before a large text takes its time.
    await new Promise<void>((resolve) => void clock.after(0, resolve));
    if (signal.aborted) return { kind: 'superseded' };
    const comparison = compareTexts(beforeText, afterText);
    return { kind: 'shown', difference: { place, before, after, comparison } };
  }

  function restart(): AbortSignal {
    fetching.abort();
    fetching = new AbortController();
    return fetching.signal;
  }

  return {
    state,
    async ofDraft({ deploymentId, service, path }) {
      const signal = restart();
      const place = { deploymentId, service, path };
      const typed = await typedText(place);
      if (signal.aborted) return { kind: 'superseded' };
      if (typed === undefined) return none(`No draft of ${nameIn(path)}.`, false);
      const answer = await client.get(deploymentId, service, path, signal);
      if (signal.aborted) return { kind: 'superseded' };
      if (!answer.ok) {
        return none(`${answer.error.sentence} ${answer.error.next}`.trim(), true);
      }
      const text = certainText(answer.value);
      if (text === undefined) return none(unreadable(answer.value), true);
      const before = `service at ${formatTimeOfDay(clock.now())}`;
      const sides = { beforeText: text, afterText: typed.text, before, after: typed.name };
      return compare({ place, ...sides }, signal);
    },
    ofTexts: async (sides) => compare(sides, restart()),
    show(difference) {
      state.setState({ shown: difference, change: 0 });
    },
    laid(beside) {
      state.setState({ beside });
    },
    goToChange(change) {
      state.setState({ change });
    },
    close() {
      fetching.abort();
      state.setState(nothing);
    },
  };
}

/** Lines up to which texts are compared: more would hold up keys for longer than is forgiven. */
const mostLines = 300_000;

function isTooLong(text: string): boolean {
  let ends = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === lineFeed || (code === carriageReturn && text.charCodeAt(at + 1) !== lineFeed)) {
      ends += 1;
    }
  }
  return ends > mostLines;
}

const lineFeed = 10;
const carriageReturn = 13;

function certainText({ text, certainty }: FileBody): string | undefined {
  return certainty === 'certain' ? text : undefined;
}

function unreadable({ path, text }: FileBody): string {
  const name = nameIn(path);
  return text === undefined
    ? `${name} is binary on the service and cannot be compared.`
    : `${name} cannot be compared: the answer may be the file or an envelope around it.`;
}
