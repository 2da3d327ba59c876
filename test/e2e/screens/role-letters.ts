import type { RowToken, Token } from '../../../source/view/text/theme.ts';

/** One character for each role of the theme; the labels of joined logs have their numbers. */
export const roleLetters: Readonly<Record<Token, string>> = {
  text: '.',
  quiet: 'q',
  good: 'g',
  busy: 'b',
  bad: 'B',
  danger: 'D',
  info: 'i',
  mark: 'm',
  focus: 'f',
  cursor: 'c',
  'cursor-off': 'o',
  select: 's',
  match: 'M',
  alert: 'A',
  'member-1': '1',
  'member-2': '2',
  'member-3': '3',
  'member-4': '4',
  'member-5': '5',
  'member-6': '6',
  'member-7': '7',
  'member-8': '8',
};

/** The roles of whole rows. */
export const rowRoles: readonly RowToken[] = ['cursor', 'cursor-off', 'select', 'quiet'];
