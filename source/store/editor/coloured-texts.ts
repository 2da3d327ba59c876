import { createStore, type StoreApi } from 'zustand/vanilla';
import type { HighlightedLines } from '../../editor/coloured-lines.ts';
import { lazyPart, loadedOrNone } from '../../system/lazy-part.ts';

const highlighter = lazyPart(() => import('../../editor/coloured-lines.ts'));

/** Highlighted lines of read-only texts, keyed by the text. The highlighter is loaded lazily. */
export interface ColouredTexts {
  /** Highlighted lines; undefined for a text that stays plain. */
  readonly state: StoreApi<ReadonlyMap<string, HighlightedLines | undefined>>;
  /** Highlights a text, unless it is cached or in progress. */
  want(text: string, language: 'yaml' | 'json'): void;
}

/** Number of cached texts. */
const cacheSize = 8;

/** Creates the cache of highlighted texts. */
export function createColouredTexts(): ColouredTexts {
  const state = createStore<ReadonlyMap<string, HighlightedLines | undefined>>(() => new Map());
  const pending = new Set<string>();

  async function highlight(text: string, language: 'yaml' | 'json'): Promise<void> {
    const lines = await loadedOrNone(async () =>
      (await highlighter()).highlightLines(text, language),
    );
    const cached = [...state.getState()].slice(1 - cacheSize);
    state.setState(new Map([...cached, [text, lines]]), true);
    pending.delete(text);
  }

  return {
    state,
    want(text, language) {
      if (pending.has(text) || state.getState().has(text)) return;
      pending.add(text);
      void highlight(text, language);
    },
  };
}
