import type { Binding } from './binding.ts';

/** What a key can ask for in the log alone: places to go to. */
export type LogCommand = 'go-to-time' | 'next-error' | 'previous-error' | 'mark-line' | 'next-mark';

export const logBindings: readonly Binding<LogCommand>[] = [
  { command: 'go-to-time', keys: ['T'], in: ['logs'], help: 'go to a time' },
  { command: 'next-error', keys: ['e'], in: ['logs'], label: 'error', help: 'next error' },
  { command: 'previous-error', keys: ['E'], in: ['logs'], help: 'previous error' },
  { command: 'mark-line', keys: ['m'], in: ['logs'], help: 'mark the line' },
  { command: 'next-mark', keys: ['M'], in: ['logs'], help: 'next mark' },
];
