import { expect, test, vi } from 'vitest';
import type { Console } from '../../source/store/console.ts';
import { openConsole } from './open-console.ts';
import { press, said, type } from './press-keys.ts';

/** A console whose log has more lines than are at hand at first; the oldest shows an error. */
async function openLong() {
  const open = await openConsole({}, (foreign) => {
    foreign.append(foreign.sample, 'web', 'ERROR of old');
    for (let line = 0; line < 3000; line += 1)
      foreign.append(foreign.sample, 'web', `line ${line}`);
  });
  await vi.waitFor(() => {
    expect(textAt(open.console, -1)).toBe('line 2999');
  });
  press(open.console, '4');
  return open;
}

function textAt({ opened }: Console, index: number): string | undefined {
  const { entries } = opened.getState().tail ?? {};
  const entry = entries?.at(index < 0 ? entries.length + index : index);
  return entry?.kind === 'line' ? entry.line.logLine : entry?.kind;
}

function underCursor(console: Console): string | undefined {
  const { tail } = console.opened.getState();
  const position = tail?.view.position.getState();
  if (tail === undefined || position?.kind !== 'frozen') return undefined;
  return textAt(console, tail.entries.indexOf(position.cursor));
}

test('E fetches older lines until one shows an error', async () => {
  await using open = await openLong();
  const { console } = open;
  expect(textAt(console, 0)).not.toBe('ERROR of old');
  const progress = console.opened.getState().tail?.reading.seek.progress;
  const told: (string | undefined)[] = [];
  progress?.subscribe((text) => told.push(text));
  press(console, 'E');
  await vi.waitFor(() => expect(underCursor(console)).toBe('ERROR of old'));
  expect(told).toContainEqual(
    expect.stringMatching(/^Looking for an older error: [\d,]+ lines so far\. Esc stops\.$/),
  );
  expect(progress?.getState()).toBeUndefined();
  press(console, 'E');
  await said(console, 'No older error.');
});

test('N fetches older lines until one matches, and Esc stops that', async () => {
  await using open = await openLong();
  const { console } = open;
  press(console, '/');
  type(console, 'of old');
  press(console, 'enter', 'N', 'escape');
  await said(console, 'Stopped looking.');
  expect(underCursor(console)).not.toBe('ERROR of old');
  press(console, 'N');
  await vi.waitFor(() => expect(underCursor(console)).toBe('ERROR of old'));
  press(console, 'N');
  await said(console, 'No older match.');
});

test('E looks at what a filter finds among the older lines', async () => {
  await using open = await openLong();
  const { console } = open;
  press(console, '&');
  type(console, '!line 1');
  press(console, 'enter', 'E');
  await vi.waitFor(() => expect(underCursor(console)).toBe('ERROR of old'));
});
