import type { Terminal } from '../../source/view/command/action.ts';
import { noClipboard } from './no-clipboard.ts';

export interface QuietTerminal extends Terminal {
  /** What it was told, in order. */
  readonly done: readonly string[];
}

/** What is around the view in a program; it does nothing but remember what it was told. */
export function quietTerminal(): QuietTerminal {
  const done: string[] = [];
  return {
    done,
    quit: () => done.push('quit'),
    suspend: () => done.push('suspend'),
    redraw: () => done.push('redraw'),
    hand: async () => undefined,
    clipboard: noClipboard,
  };
}
