import { createStore, type StoreApi } from 'zustand/vanilla';
import type { HighlightedLines } from '../../editor/coloured-lines.ts';

export type { HighlightedLines } from '../../editor/coloured-lines.ts';

/** Colours of texts that are only shown, by the text. What colours them is loaded when wanted. */
export interface ColouredTexts {
  /** Undefined for a text that stays plain. */
  readonly state: StoreApi<ReadonlyMap<string, HighlightedLines | undefined>>;
  /** Reads a text, unless it is known. */
  want(text: string, language: 'yaml' | 'json'): void;
}

/** Texts that are remembered: a few are looked at in turns. */
const remembered = 8;

export function createColouredTexts(): ColouredTexts {
  const state = createStore<ReadonlyMap<string, HighlightedLines | undefined>>(() => new Map());
  const wanted = new Set<string>();

  async function read(text: string, language: 'yaml' | 'json'): Promise<void> {
    const { highlightLines } = await import('../../editor/coloured-lines.ts');
    const lines = await highlightLines(text, language);
    const known = [...state.getState()].slice(1 - remembered);
    state.setState(new Map([...known, [text, lines]]), true);
    wanted.delete(text);
  }

  return {
    state,
    want(text, language) {
      if (wanted.has(text) || state.getState().has(text)) return;
      wanted.add(text);
      void read(text, language);
    },
  };
}
