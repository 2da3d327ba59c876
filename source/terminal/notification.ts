/** Notifications of the desktop, which some terminals show for a program. */
import { truncateCells } from './screen/cells.ts';
import { sanitize } from './screen/sanitize.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Ways to ask a terminal for a notification: OSC 9 (iTerm2), OSC 777 (urxvt) and OSC 99 (kitty), else
 * the bell.
 */
export type NotificationProtocol = 'osc-9' | 'osc-777' | 'osc-99' | 'bell';

const bell = '\x07';
const stringEnd = '\x1b\\';

/** Most cells of a notification; desktops show less of it. */
const mostCells = 160;

/** Title of a notification, where it has one. */
const title = 'hostdeck';

/** Variables of multiplexers, which pass no notifications on, or only to some terminals. */
const multiplexers = ['TMUX', 'STY', 'ZELLIJ'] as const;

/** Protocols by `TERM`, which is known through ssh too. */
const byTerm: readonly (readonly [RegExp, NotificationProtocol])[] = [
  [/^(?:screen|tmux)/, 'bell'],
  [/^xterm-kitty/, 'osc-99'],
  [/^(?:foot|xterm-ghostty|ghostty|rxvt-unicode|wezterm|contour)/, 'osc-777'],
];

/** Protocols by `TERM_PROGRAM`, or by the variable that iTerm2 sends through ssh. */
const byProgram: Readonly<Record<string, NotificationProtocol>> = {
  'iTerm.app': 'osc-9',
  iTerm2: 'osc-9',
  WezTerm: 'osc-777',
  ghostty: 'osc-777',
  contour: 'osc-777',
  WarpTerminal: 'osc-777',
};

/**
 * Returns the way to notify of the terminal that the environment names. Where none is known, it is the
 * bell: OSC 9 has other meanings in ConEmu and in Windows Terminal, which show no notifications.
 */
export function notificationProtocol(env: Environment): NotificationProtocol {
  if (multiplexers.some((name) => (env[name] ?? '') !== '')) return 'bell';
  const { TERM: term = '', TERM_PROGRAM: program = '', LC_TERMINAL: remote = '' } = env;
  const known = byTerm.find(([pattern]) => pattern.test(term))?.[1];
  return known ?? programProtocol(program) ?? programProtocol(remote) ?? 'bell';
}

function programProtocol(name: string): NotificationProtocol | undefined {
  return Object.hasOwn(byProgram, name) ? byProgram[name] : undefined;
}

/** Returns the bytes that notify. The text is made safe, and cut where it is long. */
export function notificationBytes(protocol: NotificationProtocol, text: string): string {
  // A semicolon would end a part of the sequence.
  const safe = truncateCells(sanitize(text, { tab: 1 }).replaceAll(';', ','), mostCells, '...');
  switch (protocol) {
    case 'osc-9':
      // A text that began with a digit could be a command of ConEmu.
      return `\x1b]9;${title}: ${safe}${stringEnd}`;
    case 'osc-777':
      return `\x1b]777;notify;${title};${safe}${stringEnd}`;
    case 'osc-99':
      return `\x1b]99;;${title}: ${safe}${stringEnd}`;
    case 'bell':
      return bell;
  }
}
