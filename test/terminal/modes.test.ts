import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { enterAlternateScroll, TerminalModes } from '../../source/terminal/modes.ts';
import { ObservedTerminal } from '../e2e/harness-terminal.ts';

const switches = [
  '\x1b[?1049h\x1b[?25l',
  '\x1b[?1049h',
  '\x1b[?1049l',
  '\x1b[?25l',
  '\x1b[?25h',
  '\x1b[?2004h',
  '\x1b[?2004l',
  '\x1b[?2026h',
  '\x1b[?2026l',
  '\x1b[?1002;1006h',
  '\x1b[?1002;1006l',
  '\x1b[?1004h',
  '\x1b[?1h',
  '\x1b[?7l',
  '\x1b[>1u',
  '\x1b[<u',
  '\x1b[2;10r',
  '\x1b[r',
  '\x1b[31mtext',
];

/** Returns the output that undoes these writes. */
function undoing(...written: readonly string[]): string {
  const modes = new TerminalModes();
  for (const data of written) modes.observe(data);
  return modes.undo();
}

describe('TerminalModes', () => {
  test('restores the terminal after any change of modes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...switches)), async (written) => {
        const terminal = new ObservedTerminal(40, 12);
        const found = terminal.modes;
        await terminal.write(written.join(''));
        await terminal.write(undoing(...written));
        expect(terminal.modes).toEqual(found);
        terminal.dispose();
      }),
      { numRuns: 300 },
    );
  });

  test('undoes nothing if no mode differs from its default', () => {
    expect(undoing('\x1b[31mred\x1b[0m')).toBe('');
    expect(undoing('\x1b[?1049h', '\x1b[?1049l')).toBe('');
  });

  test('restores alternate scroll, which some terminals have set before', () => {
    expect(undoing(enterAlternateScroll)).toBe('\x1b[?1007r\x1b[0m');
    expect(undoing(enterAlternateScroll, '\x1b[?1007r')).toBe('');
  });

  test('undoes the last change first, so that the scroll region is reset before its screen is left', () => {
    expect(undoing('\x1b[?1049h\x1b[2;10r')).toBe('\x1b[r\x1b[?1049l\x1b[0m');
  });
});
