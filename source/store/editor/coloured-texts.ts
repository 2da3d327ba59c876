import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ColouredLines } from '../../editor/coloured-lines.ts';

export type { ColouredLines } from '../../editor/coloured-lines.ts';

/** Colours of texts that are only shown, by the text. What colours them is loaded when wanted. */
export interface ColouredTexts {
  /** Undefined for a text that stays plain. */
  readonly state: StoreApi<ReadonlyMap<string, ColouredLines | undefined>>;
  /** Reads a text, unless it is known. */
  want(text: string, language: 'yaml' | 'json'): void;
}

/** Texts that are remembered: a few are looked at in turns. */
const remembered = 8;

export function createColouredTexts(): ColouredTexts {
  const state = createStore<ReadonlyMap<string, ColouredLines | undefined>>(() => new Map());
  const wanted = new Set<string>();

  async function read(text: string, language: 'yaml' | 'json'): Promise<void> {
    const { colouredLines } = await import('../../editor/coloured-lines.ts');
    const lines = await colouredLines(text, language);
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
