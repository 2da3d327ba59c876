import { once } from 'node:events';
import { render, Text, usePaste, useWindowSize } from 'ink';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { InkStdout } from '../../../source/terminal/screen/ink-stdout.ts';
import { FakeInput } from '../fake-terminal.ts';
import { waitFor } from '../../support/wait-for.ts';

function Root(): ReactNode {
  const { columns, rows } = useWindowSize();
  usePaste(() => {});
  return <Text>{`${columns}x${rows}\nsecond`}</Text>;
}

test('Ink writes whole frames at once, and its modes are discarded', async () => {
  const frames: (readonly string[])[] = [];
  const stdout = new InkStdout({ columns: 20, rows: 5 }, (rows) => frames.push(rows));
  const input = new FakeInput();
  const listening = once(input, 'newListener');
  const app = render(<Root />, {
    stdin: input.asStream(),
    stdout: stdout.asStream(),
    patchConsole: false,
    interactive: true,
    debug: true,
  });
  expect(frames.at(-1)).toEqual(['20x5', 'second']);
  await listening;
  stdout.resize({ columns: 30, rows: 6 });
  await waitFor(() => expect(frames.at(-1)).toEqual(['30x6', 'second']));
  app.unmount();
  await app.waitUntilExit();
  expect(frames.flat().join('')).not.toContain('\x1b');
});
