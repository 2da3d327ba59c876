import { expect, test } from 'vitest';
import type { Console } from '../../../source/store/deck/deck.ts';
import { openConsole, systemClock } from '../open-deck.ts';
import { press, said, type } from '../press-keys.ts';
import { waitFor } from '../../support/wait-for.ts';

/** A console whose log has more lines than are at hand at first; the oldest shows an error. */
async function openLong(clock = systemClock) {
  const open = await openConsole(
    {},
    (foreign) => {
      foreign.append(foreign.sample, 'web', 'ERROR of old');
      for (let line = 0; line < 3000; line += 1)
        foreign.append(foreign.sample, 'web', `line ${line}`);
    },
    { clock },
  );
  await waitFor(() => {
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
  await waitFor(() => expect(underCursor(console)).toBe('ERROR of old'));
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
  await waitFor(() => expect(underCursor(console)).toBe('ERROR of old'));
  press(console, 'N');
  await said(console, 'No older match.');
  console.opened.getState().tail?.log.state.setState({ older: 'full' });
  press(console, 'N');
  await said(console, 'No older match in memory, which is full. --log-lines keeps more.');
});

test('N goes on by itself while lines at hand are still looked at, and Esc stops that too', async () => {
  // Each look at the time costs 5 ms: a few lines are looked at in each turn.
  let spent = 0;
  await using open = await openLong({
    ...systemClock,
    now() {
      spent += 5;
      return Date.now() + spent;
    },
  });
  const { console } = open;
  await waitFor(() => {
    expect(console.opened.getState().tail?.entries.length).toBeGreaterThan(1000);
  });
  const search = () => console.opened.getState().tail?.search.state.getState();
  press(console, '/');
  type(console, 'of old');
  press(console, 'enter', 'N');
  expect(search()).toMatchObject({ looking: 'older', done: false });
  press(console, 'escape');
  await said(console, 'Stopped looking.');
  expect(search()?.looking).toBeUndefined();
  expect(search()?.query?.text).toBe('of old');
  press(console, 'N');
  await waitFor(() => expect(underCursor(console)).toBe('ERROR of old'));
});

test('E looks at what a filter finds among the older lines', async () => {
  await using open = await openLong();
  const { console } = open;
  press(console, '&');
  type(console, '!line 1');
  press(console, 'enter', 'E');
  await waitFor(() => expect(underCursor(console)).toBe('ERROR of old'));
});
