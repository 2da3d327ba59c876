import { describe, expect, test } from 'vitest';
import {
  drawingObstacle,
  isScreenReader,
  type TerminalTraits,
  terminalTraits,
} from '../../source/terminal/traits.ts';
import { capabilities } from './terminfo.ts';

const all: TerminalTraits = {
  hasSynchronizedOutput: true,
  canEraseCharacters: true,
  canMoveToColumn: true,
  alternateScreen: true,
};
const plain: TerminalTraits = {
  hasSynchronizedOutput: false,
  canEraseCharacters: true,
  canMoveToColumn: true,
  alternateScreen: false,
};

describe('a terminal', () => {
  test.each<[Record<string, string>, TerminalTraits]>([
    [{ TERM: 'xterm' }, all],
    [{ TERM: 'xterm-256color' }, all],
    [{ TERM: 'xterm-kitty' }, all],
    [{ TERM: 'xterm-ghostty' }, all],
    [{ TERM: 'alacritty' }, all],
    [{ TERM: 'foot' }, all],
    [{ TERM: 'rxvt-unicode-256color' }, all],
    [{ TERM: 'st-256color' }, all],
    [{ TERM: 'putty' }, all],
    [{ TERM: 'tmux-256color', TMUX: '/tmp/tmux,1,0' }, all],
    [{ TERM: 'screen-256color', TMUX: '/tmp/tmux,1,0' }, all],
    [
      { TERM: 'screen', STY: '1.pts-0' },
      { ...all, hasSynchronizedOutput: false },
    ],
    [{ TERM: 'screen.xterm-256color' }, { ...all, hasSynchronizedOutput: false }],
    [{ TERM: 'linux' }, plain],
    [{ TERM: 'linux-16color' }, plain],
    [{ TERM: 'vt100' }, { ...plain, canEraseCharacters: false, canMoveToColumn: false }],
    [{ TERM: 'vt102' }, { ...plain, canEraseCharacters: false, canMoveToColumn: false }],
    [{ TERM: 'vt220' }, { ...plain, canMoveToColumn: false }],
    [{ TERM: 'ansi' }, plain],
    [{ TERM: 'eterm-color' }, { ...plain, canEraseCharacters: false, canMoveToColumn: false }],
  ])('of %j may get %j', (env, traits) => {
    expect(terminalTraits(env)).toEqual(traits);
  });

  test.each(['xterm', 'xterm-256color', 'linux', 'vt100', 'screen', 'tmux-256color', 'vt220'])(
    'called %s can be drawn on',
    (TERM) => {
      expect(drawingObstacle({ TERM })).toBeUndefined();
    },
  );

  test.each(['dumb', 'unknown', 'emacs', 'cons25', 'cons25-m', 'vt52', 'wyse60', 'wy50', 'sun'])(
    'called %s cannot be drawn on, and the reason names it',
    (TERM) => {
      expect(drawingObstacle({ TERM })).toContain(` ${TERM} (`);
    },
  );

  test.each([{}, { TERM: '' }])('without a name cannot be drawn on: %j', (env) => {
    expect(drawingObstacle(env)).toBe('TERM is not set. Set it to the type of this terminal.');
  });

  // Only entries that every system has.
  test.each(['linux', 'vt100', 'vt220', 'xterm', 'xterm-256color', 'ansi'])(
    'called %s has no trait that its terminfo entry lacks',
    (TERM) => {
      const entry = capabilities(TERM);
      const { hasSynchronizedOutput: _, ...traits } = terminalTraits({ TERM });
      expect(traits).toEqual({
        canEraseCharacters: entry.has('ech'),
        canMoveToColumn: entry.has('hpa'),
        alternateScreen: entry.has('smcup'),
      });
    },
  );
});

test('INK_SCREEN_READER is on as true or 1', () => {
  const isOn = (value: string) => isScreenReader({ INK_SCREEN_READER: value });
  expect(['true', '1', '', '0', 'false'].map((value) => isOn(value))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
