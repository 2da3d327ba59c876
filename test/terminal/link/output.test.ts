import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createTerminalOutput } from '../../../source/terminal/link/output.ts';
import { FakeOutput } from '../fake-terminal.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** Clears before the alternate screen is left, as GNU screen may have none. */
const cleared = '\x1b[0m\x1b[H\x1b[2J';

describe('createOutput', () => {
  test('restores the terminal for a while, and can use it again', () => {
    const real = new FakeOutput();
    const output = createTerminalOutput(real.asStream(), { alternateScreen: true });
    output.write('\x1b[?1049h');
    output.leave();
    output.write('\x1b[?1049h');
    output.leave();
    expect(real.written).toBe(`\x1b[?1049h${cleared}\x1b[?1049l\x1b[0m`.repeat(2));
  });

  test('undoes modes that were switched before it was created', () => {
    const real = new FakeOutput();
    const output = createTerminalOutput(real.asStream(), {
      earlierOutput: '\x1b[?1049h\x1b[?25l',
      alternateScreen: true,
    });
    output.leave();
    expect(real.written).toBe(`${cleared}\x1b[?25h\x1b[?1049l\x1b[0m`);
  });

  test('clears nothing if no mode was switched', () => {
    const real = new FakeOutput();
    const output = createTerminalOutput(real.asStream(), { alternateScreen: true });
    output.write('\x1b[?2004h');
    output.leave();
    expect(real.written).toBe('\x1b[?2004h\x1b[?2004l\x1b[0m');
  });

  test('clears a terminal that has only one screen', () => {
    const real = new FakeOutput();
    const output = createTerminalOutput(real.asStream(), { alternateScreen: false });
    output.leave();
    expect(real.written).toBe('');
    output.write('\x1b[?25l');
    output.leave();
    expect(real.written).toBe('\x1b[?25l\x1b[?25h\x1b[0m\x1b[H\x1b[2J');
  });

  test('restores once, synchronously, and discards later output', () => {
    const folder = temporaryFolder();
    const fd = openSync(path.join(folder, 'terminal'), 'w+');
    const real = new FakeOutput(fd);
    const output = createTerminalOutput(real.asStream(), { alternateScreen: true });
    output.write('\x1b[?1049h\x1b[?25l');
    output.restore();
    output.restore();
    output.write('late');
    expect(real.written).toBe('\x1b[?1049h\x1b[?25l');
    expect(readFileSync(path.join(folder, 'terminal'), 'utf8')).toBe(
      `${cleared}\x1b[?25h\x1b[?1049l\x1b[0m`,
    );
    closeSync(fd);
  });

  test('restores without an error if the terminal is gone', () => {
    const output = createTerminalOutput(new FakeOutput().asStream(), { alternateScreen: true });
    output.write('\x1b[?1049h');
    expect(() => output.restore()).not.toThrow();
  });
});
