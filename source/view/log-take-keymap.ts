import type { Binding } from './binding.ts';

/** What takes lines out of the log. */
export type TakeCommand = 'line-details' | 'select-lines' | 'save-lines';

/** Keys of the log for what a person takes out of it. Copying and printing are commands of all panes. */
export const takeBindings: readonly Binding<TakeCommand | 'copy-short' | 'copy-whole'>[] = [
  { command: 'line-details', keys: ['enter'], in: ['logs'], help: 'line details' },
  { command: 'select-lines', keys: ['v'], in: ['logs'], label: 'select', help: 'select lines' },
  { command: 'copy-short', keys: ['y'], in: ['logs'], label: 'copy', help: 'copy the text' },
  { command: 'copy-whole', keys: ['Y'], in: ['logs'], help: 'copy, with time' },
  { command: 'save-lines', keys: ['S'], in: ['logs'], label: 'export', help: 'save to this disk' },
];
