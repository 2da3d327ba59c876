import type { Terminal } from '../../source/view/command/action.ts';
import { noClipboard } from './no-clipboard.ts';

export interface QuietTerminal extends Terminal {
  /** Names of the called operations, in order. */
  readonly done: readonly string[];
}

/** Returns a terminal that only records the operations called. */
export function quietTerminal(): QuietTerminal {
  const done: string[] = [];
  return {
    done,
    quit: () => done.push('quit'),
    suspend: () => done.push('suspend'),
    redraw: () => done.push('redraw'),
    hand: async () => undefined,
    pipe: async () => undefined,
    clipboard: noClipboard,
  };
}
