import { once } from 'node:events';
import * as fc from 'fast-check';
import { Text, render, usePaste } from 'ink';
import type { ReactNode } from 'react';
import { describe, expect, test } from 'vitest';
import { createOutput } from '../../source/terminal/output.ts';
import { ObservedTerminal } from '../e2e/harness-terminal.ts';
import { FakeInput, FakeOutput } from './fake-terminal.ts';

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

describe('createOutput', () => {
  test('knows how to leave the terminal as it was found, whatever was switched', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...switches)), async (written) => {
        const terminal = new ObservedTerminal(40, 12);
        const found = terminal.modes;
        const real = new FakeOutput();
        const output = createOutput(real.asStream());
        for (const data of written) output.write(data);
        await terminal.write(real.written);
        await terminal.write(output.undo());
        expect(terminal.modes).toEqual(found);
        terminal.dispose();
      }),
      { numRuns: 300 },
    );
  });

  test('has nothing to undo when nothing was switched', () => {
    const output = createOutput(new FakeOutput().asStream());
    output.write('\x1b[31mred\x1b[0m');
    expect(output.undo()).toBe('');
    output.write('\x1b[?1049h');
    output.write('\x1b[?1049l');
    expect(output.undo()).toBe('');
  });

  test('leaves the scroll region before the screen it belongs to', () => {
    const output = createOutput(new FakeOutput().asStream());
    output.write('\x1b[?1049h\x1b[2;10r');
    expect(output.undo()).toBe('\x1b[r\x1b[?1049l\x1b[0m');
  });

  test('does not let Ink switch bracketed paste', async () => {
    const real = new FakeOutput();
    const output = createOutput(real.asStream());
    output.write('\x1b[?2004h');
    const input = new FakeInput();
    function Root(): ReactNode {
      usePaste(() => {});
      return <Text>here</Text>;
    }
    const listening = once(input, 'newListener');
    const app = render(<Root />, {
      stdin: input.asStream(),
      stdout: output.stdout,
      patchConsole: false,
      interactive: true,
    });
    await listening;
    app.unmount();
    await app.waitUntilExit();
    expect(real.written).toContain('here');
    expect(real.written.split('?2004')).toHaveLength(2);
    expect(output.undo()).toBe('\x1b[?2004l\x1b[0m');
  });

  test('hands on the rest of the stream as it is', async () => {
    const real = new FakeOutput();
    const { stdout } = createOutput(real.asStream());
    expect([stdout.isTTY, stdout.columns, stdout.rows]).toEqual([true, 80, 24]);
    const resized = once(stdout, 'resize');
    real.emit('resize');
    await resized;
    await new Promise<void>((resolve) => stdout.write('\x1b[?2004h', () => resolve()));
    await new Promise<void>((resolve) => stdout.write(Buffer.from('x'), () => resolve()));
    expect(real.written).toBe('x');
  });
});
