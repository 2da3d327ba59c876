import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Text, render, usePaste } from 'ink';
import type { ReactNode } from 'react';
import { describe, expect, test } from 'vitest';
import { createOutput } from '../../source/terminal/output.ts';
import { FakeInput, FakeOutput } from './fake-terminal.ts';

describe('createOutput', () => {
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
  });

  test('enters the alternate screen once, and leaves what was entered before', () => {
    const real = new FakeOutput();
    const output = createOutput(real.asStream(), '\x1b[?1049h\x1b[?25l');
    output.stdout.write('\x1b[?1049h');
    output.stdout.write('text');
    output.stdout.write('\x1b[?1049l');
    output.stdout.write('\x1b[?1049h');
    expect(real.written).toBe('text\x1b[?1049l\x1b[?1049h');
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

  test('undoes what was switched once, past the event loop, and lets nothing follow', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'output-'));
    const fd = openSync(path.join(folder, 'terminal'), 'w+');
    const real = new FakeOutput(fd);
    const output = createOutput(real.asStream());
    output.write('\x1b[?1049h\x1b[?25l');
    output.restore();
    output.restore();
    output.write('late');
    await new Promise<void>((resolve) => output.stdout.write('late', () => resolve()));
    expect(real.written).toBe('\x1b[?1049h\x1b[?25l');
    expect(readFileSync(path.join(folder, 'terminal'), 'utf8')).toBe('\x1b[?25h\x1b[?1049l\x1b[0m');
    closeSync(fd);
    rmSync(folder, { recursive: true });
  });

  test('needs no terminal to restore', () => {
    const output = createOutput(new FakeOutput().asStream());
    output.write('\x1b[?1049h');
    expect(() => output.restore()).not.toThrow();
  });
});
