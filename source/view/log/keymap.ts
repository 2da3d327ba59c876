import type { KeyBinding } from '../command/command.ts';

/** What a key can ask for in the log alone. */
export type LogCommand =
  | 'line-details'
  | 'follow'
  | 'freeze'
  | 'next-error'
  | 'previous-error'
  | 'search'
  | 'filter-lines'
  | 'log-services'
  | 'newer-match'
  | 'older-match'
  | 'select-lines'
  | 'save-lines'
  | 'times'
  | 'go-to-time'
  | 'mark-line'
  | 'next-mark'
  | 'newer-line'
  | 'older-line';

/** The log's keys, in the order of its footer. Copying and printing are commands of other panes too. */
export const logBindings: readonly KeyBinding<LogCommand | 'copy-short' | 'copy-whole'>[] = [
  { command: 'follow', keys: ['G', 'end'], in: ['logs'], label: 'follow', help: 'newest, follow' },
  { command: 'freeze', keys: ['space'], in: ['logs'], label: 'freeze', help: 'freeze, follow' },
  {
    command: 'next-error',
    keys: ['e'],
    in: ['logs'],
    label: 'error',
    footerKey: 'e/E',
    help: 'next error',
  },
  { command: 'previous-error', keys: ['E'], in: ['logs'], help: 'previous error' },
  { command: 'search', keys: ['/'], in: ['logs'], label: 'search', help: 'search' },
  { command: 'filter-lines', keys: ['&'], in: ['logs'], label: 'filter', help: 'filter lines' },
  { command: 'log-services', keys: ['s'], in: ['logs'], label: 'services', help: 'services' },
  { command: 'select-lines', keys: ['v'], in: ['logs'], label: 'select', help: 'select lines' },
  { command: 'copy-short', keys: ['y'], in: ['logs'], label: 'copy', help: 'copy the text' },
  { command: 'save-lines', keys: ['S'], in: ['logs'], label: 'export', help: 'save to this disk' },
  { command: 'copy-whole', keys: ['Y'], in: ['logs'], help: 'copy, with time' },
  { command: 'line-details', keys: ['enter'], in: ['logs'], help: 'line details' },
  { command: 'newer-match', keys: ['n'], in: ['logs'], help: 'newer match' },
  { command: 'older-match', keys: ['N'], in: ['logs'], help: 'older match' },
  { command: 'times', keys: ['t'], in: ['logs'], help: 'kinds of times' },
  { command: 'go-to-time', keys: ['T'], in: ['logs'], help: 'go to a time' },
  { command: 'mark-line', keys: ['m'], in: ['logs'], help: 'mark the line' },
  { command: 'next-mark', keys: ['M'], in: ['logs'], help: 'next mark' },
  {
    command: 'newer-line',
    keys: ['n'],
    in: ['details'],
    label: 'other line',
    footerKey: 'n/N',
    help: 'newer line',
  },
  { command: 'older-line', keys: ['N'], in: ['details'], help: 'older line' },
];
