import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import {
  type ColourDepth,
  colourDepth,
  forceColourValue,
  drawsUnicode,
  knownBackground,
  supportsUnicode,
} from '../../../source/terminal/screen/colour.ts';

describe('colourDepth', () => {
  test.each<[Record<string, string>, ColourDepth]>([
    [{ TERM: 'xterm-256color' }, '256'],
    [{ TERM: 'xterm-256color', COLORTERM: 'truecolor' }, 'true'],
    [{ TERM: 'xterm-direct' }, 'true'],
    [{ TERM: 'xterm-kitty' }, 'true'],
    [{ TERM: 'xterm' }, '16'],
    [{ TERM: 'linux' }, '16'],
    [{ TERM: 'screen' }, '16'],
    [{ TERM: 'tmux-256color' }, '256'],
    [{ TERM: 'vt100' }, 'none'],
    [{ TERM: 'dumb', COLORTERM: 'truecolor' }, 'none'],
    [{}, 'none'],
    [{ TERM: 'xterm-256color', NO_COLOR: '1' }, 'none'],
    [{ TERM: 'xterm-256color', NO_COLOR: '' }, '256'],
    [{ TERM: 'xterm-256color', NO_COLOR: '0', FORCE_COLOR: '3' }, 'none'],
    [{ TERM: 'xterm-256color', FORCE_COLOR: '1' }, '16'],
    [{ TERM: 'xterm-256color', FORCE_COLOR: '0' }, 'none'],
    [{ TERM: 'xterm-256color', FORCE_COLOR: 'false' }, 'none'],
    [{ TERM: 'xterm-256color', FORCE_COLOR: 'true' }, '256'],
    [{ TERM: 'dumb', FORCE_COLOR: '' }, '16'],
  ])('of %j is %s', (env, depth) => {
    expect(colourDepth(env)).toBe(depth);
  });
});

describe('knownBackground', () => {
  test.each<[Record<string, string>, 'dark' | 'light' | undefined]>([
    [{ COLORFGBG: '0;15' }, 'light'],
    [{ COLORFGBG: '0;default;15' }, 'light'],
    [{ COLORFGBG: '0;7' }, 'light'],
    [{ COLORFGBG: '15;0' }, 'dark'],
    [{ COLORFGBG: '15;default;0' }, 'dark'],
    [{ COLORFGBG: '12;8' }, 'dark'],
    [{ COLORFGBG: 'default;default;0' }, 'dark'],
    [{ COLORFGBG: 'default;default' }, undefined],
    [{ COLORFGBG: '0;default' }, undefined],
    [{ COLORFGBG: '15;4' }, undefined],
    [{ COLORFGBG: '0;150' }, undefined],
    [{ COLORFGBG: '15' }, undefined],
    [{ COLORFGBG: ';' }, undefined],
    [{ COLORFGBG: '0;15;' }, undefined],
    [{ COLORFGBG: 'x;\u001b[31m;15' }, undefined],
    [{ COLORFGBG: '' }, undefined],
    [{}, undefined],
    [{ COLORFGBG: '0;15', TMUX: '/tmp/tmux,1,0' }, undefined],
    [{ COLORFGBG: '0;15', STY: '1.pts-0' }, undefined],
    [{ COLORFGBG: '0;15', TERM: 'screen-256color' }, undefined],
    [{ COLORFGBG: '0;15', TERM: 'rxvt-unicode-256color' }, 'light'],
    [{ TERM: 'linux' }, 'dark'],
  ])('of %j is %s', (env, background) => {
    expect(knownBackground(env)).toBe(background);
  });
});

describe('forceColourValue', () => {
  const script = `
    const { renderToString, Text } = await import('ink');
    const { createElement } = await import('react');
    process.stdout.write(renderToString(createElement(Text, { color: '#ff8800' }, 'x')));
  `;

  test.each<[ColourDepth, string]>([
    ['none', 'x'],
    ['16', '\x1b[93mx\x1b[39m'],
    ['256', '\x1b[38;5;214mx\x1b[39m'],
    ['true', '\x1b[38;2;255;136;0mx\x1b[39m'],
  ])('makes Ink draw in %s colours, whatever the terminal says', (depth, drawn) => {
    const shown = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
      cwd: import.meta.dirname,
      env: {
        PATH: process.env['PATH'],
        TERM: 'xterm-kitty',
        NO_COLOR: '1',
        FORCE_COLOR: forceColourValue(depth),
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    expect(shown.toString()).toBe(drawn);
  });
});

describe('supportsUnicode', () => {
  test.each<[Record<string, string>, boolean]>([
    [{ LANG: 'en_US.UTF-8', TERM: 'xterm' }, true],
    [{ LANG: 'C.utf8', TERM: 'xterm' }, true],
    [{ LC_ALL: 'C', LANG: 'en_US.UTF-8', TERM: 'xterm' }, false],
    [{ LC_ALL: '', LC_CTYPE: 'C.UTF-8', LANG: 'C', TERM: 'xterm' }, true],
    [{ LANG: 'en_US.UTF-8', TERM: 'linux' }, false],
    [{ LANG: 'en_US.UTF-8', TERM: 'linux-16color' }, false],
    [{ LANG: 'en_US.UTF-8', TERM: 'vt100' }, false],
    [{ LANG: 'en_US.UTF-8', TERM: 'ansi' }, false],
    [{ LANG: 'en_US.UTF-8', TERM: 'vte-256color' }, true],
    [{ LANG: 'en_US.UTF-8', TERM: 'dumb' }, false],
    [{ TERM: 'xterm' }, false],
  ])('of %j is %s', (env, expected) => {
    expect(supportsUnicode(env)).toBe(expected);
  });
});

test('a flag decides whether to draw more than ASCII, else the terminal and its locale', () => {
  const ascii = { LANG: 'C', TERM: 'xterm' };
  const utf8 = { LANG: 'C.UTF-8', TERM: 'xterm' };
  const none = { ascii: false, unicode: false };
  expect([ascii, utf8].map((env) => drawsUnicode(none, env))).toEqual([false, true]);
  expect(drawsUnicode({ ...none, unicode: true }, ascii)).toBe(true);
  expect(drawsUnicode({ ...none, ascii: true }, utf8)).toBe(false);
});
