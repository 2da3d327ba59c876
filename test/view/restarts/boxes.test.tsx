import { Box } from 'ink';
import { render } from 'ink-testing-library';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import type { Console } from '../../../source/store/deck/deck.ts';
import { messageLife } from '../../../source/store/deck/screen.ts';
import { ConsoleContext } from '../../../source/view/parts/context.ts';
import { RestartsBox } from '../../../source/view/restarts/pending-box.tsx';
import { dispatch } from '../../../source/view/shell/dispatch.ts';
import { DeploymentsPane } from '../../../source/view/deployments/pane.tsx';
import { StatusRow } from '../../../source/view/shell/status-row.tsx';
import { openConsole } from '../open-deck.ts';
import { type QuietTerminal, quietTerminal } from '../quiet-terminal.ts';

const config = { service: 'web', path: 'config/app.yaml' };
const page = { service: 'web', path: 'index.html' };

/** So long that nothing is sent while a test looks at what counts. */
const slow = { restartDelay: 60_000 };

function press(
  console: Console,
  names: readonly string[],
  on: QuietTerminal = quietTerminal(),
): void {
  for (const name of names) {
    dispatch({ name }, { console, terminal: on, extent: { rows: 10, lines: 100 } });
  }
}

/** Enter, as if the box had been read before. */
function answer(console: Console, on?: QuietTerminal): void {
  console.screen.setState(({ overlay }) =>
    overlay !== undefined && 'shownAt' in overlay ? { overlay: { ...overlay, shownAt: 0 } } : {},
  );
  press(console, ['enter'], on);
}

/** `q` twice, with time to read in between. */
function pressQuit(console: Console, on: QuietTerminal): void {
  press(console, ['q'], on);
  console.screen.setState({ quitAskedAt: Date.now() - messageLife / 2 });
  press(console, ['q'], on);
}

function draw(console: Console, part: ReactNode): readonly string[] {
  const drawn = render(
    <ConsoleContext value={console}>
      <Box width={80} height={24}>
        {part}
      </Box>
    </ConsoleContext>,
  );
  const rows = (drawn.lastFrame() ?? '').split('\n').map((row) => row.trim());
  drawn.unmount();
  return rows.filter((row) => row !== '');
}

const messageOf = (console: Console) => console.screen.getState().message?.text;
const kindOf = (console: Console, id: string) => console.restarts.state.getState().get(id)?.kind;

function restartsSent({ requests }: { readonly requests: readonly { readonly path: string }[] }) {
  return requests.filter(({ path }) => path.endsWith('/restart')).length;
}

test('what counts stands in row 1 and in the row of the deployment', async () => {
  await using open = await openConsole({}, undefined, slow);
  const { console, foreign } = open;
  console.restarts.changed(foreign.sample, config, page);
  expect(draw(console, <StatusRow width={80} />)[0]).toContain('restart bazaar 60s | ');
  expect(draw(console, <DeploymentsPane width={80} height={5} focused />)[1]).toContain(
    'restart in 60s, 2 files',
  );
});

test('the box lists what is pending, each with what it knows', async () => {
  await using open = await openConsole({}, undefined, {
    ...slow,
    owed: [{ deploymentId: 'old', name: 'older', files: [page], state: 'failed', since: 0 }],
  });
  const { console, foreign } = open;
  console.restarts.changed(foreign.sample, config, page);
  const rows = draw(
    console,
    <RestartsBox deployment={foreign.sample} button={0} columns={80} rows={24} />,
  );
  expect(rows.every((row) => row.length === 64)).toBe(true);
  expect(rows[0]).toMatch(/^┌ test: restarts, not counting while this is open ─+┐$/);
  expect(rows[1]).toMatch(/^│ {3}older {7}not applied {2}1 file, since \d\d:\d\d +│$/);
  expect(rows[2]).toMatch(/^│ > bazaar {6}60s left {5}web config\/app.yaml index.html +│$/);
  expect(rows.at(-3)).toMatch(/^│ Stops and starts 2 services\. +│$/);
  expect(rows.at(-2)).toMatch(/^│ \[Keep counting\] {3}Restart now {3}Do not restart +│$/);
  expect(rows.at(-1)).toMatch(/^└ Up\/Down {2}Tab {2}Enter {2}Esc keeps counting ─+┘$/);
});

test('a box with more than fits keeps the chosen one in sight', async () => {
  await using open = await openConsole({}, undefined, slow);
  const { console } = open;
  for (let index = 0; index < 50; index += 1) console.restarts.changed(`many-${index}`, page);
  for (const chosen of ['many-0', 'many-25', 'many-49']) {
    const rows = draw(
      console,
      <RestartsBox deployment={chosen} button={0} columns={80} rows={24} />,
    );
    expect(rows.filter((row) => row.startsWith('│ > '))).toHaveLength(1);
    expect(rows.join('\n')).toContain(`> ${chosen} `);
    expect(rows.join('\n')).toContain('Keep counting');
    expect(rows.length).toBeLessThanOrEqual(22);
  }
});

test('r opens it on the row of the cursor, holds the count, and Enter there keeps counting', async () => {
  await using open = await openConsole({}, undefined, slow);
  const { console, foreign } = open;
  console.restarts.changed(foreign.sample, config);
  press(console, ['r']);
  expect(console.screen.getState().overlay).toMatchObject({
    kind: 'restarts',
    deployment: foreign.sample,
    button: 0,
  });
  answer(console);
  expect(console.screen.getState().overlay).toBeUndefined();
  expect(kindOf(console, foreign.sample)).toBe('counting');
});

test('Enter typed ahead of the box answers nothing', async () => {
  await using open = await openConsole({}, undefined, slow);
  const { console, foreign } = open;
  console.restarts.changed(foreign.sample, config);
  press(console, ['r', 'tab', 'enter', 'x']);
  expect(console.screen.getState().overlay).toMatchObject({ kind: 'restarts', button: 1 });
  expect(restartsSent(foreign)).toBe(0);
});

test('its second button restarts now, once', async () => {
  await using open = await openConsole({}, undefined, slow);
  const { console, foreign } = open;
  console.restarts.changed(foreign.sample, config);
  press(console, ['r', 'tab']);
  answer(console);
  await expect.poll(() => messageOf(console)).toBe('Restart of bazaar accepted; its log shows it.');
  expect(kindOf(console, foreign.sample)).toBeUndefined();
  expect(restartsSent(foreign)).toBe(1);
});

test('its third button leaves the changes not applied', async () => {
  await using open = await openConsole({}, undefined, slow);
  const { console, foreign } = open;
  console.restarts.changed(foreign.sample, config, page);
  press(console, ['r', 'shift+tab']);
  answer(console);
  expect(messageOf(console)).toBe(
    'Restart of bazaar cancelled. 2 changes not applied; r restarts.',
  );
  expect(kindOf(console, foreign.sample)).toBe('not applied');
});

test('Up and Down choose among what is pending, by id', async () => {
  await using open = await openConsole({}, undefined, slow);
  const { console, foreign } = open;
  const chosen = () => console.screen.getState().overlay;
  console.restarts.changed(foreign.sample, config);
  console.restarts.changed('other', page);
  press(console, ['r', 'down', 'down']);
  expect(chosen()).toMatchObject({ deployment: 'other' });
  console.restarts.forget('other');
  press(console, ['tab', 'tab']);
  answer(console);
  expect(kindOf(console, foreign.sample)).toBe('counting');
  expect(restartsSent(foreign)).toBe(0);
});

test('away from the list, ^R shows what is pending elsewhere', async () => {
  await using open = await openConsole({}, undefined, slow);
  const { console, foreign } = open;
  console.restarts.changed('other', page);
  press(console, ['1', 'ctrl+r']);
  expect(console.screen.getState().overlay).toMatchObject({ kind: 'restart' });
  press(console, ['escape', '4', 'ctrl+r']);
  expect(console.screen.getState().overlay).toMatchObject({ kind: 'restarts' });
  const rows = draw(
    console,
    <RestartsBox deployment={foreign.sample} button={0} columns={80} rows={24} />,
  );
  expect(rows[1]).toMatch(/> bazaar +unchanged/);
});

test('c cancels what counts, and says so of what was sent already', async () => {
  await using open = await openConsole({}, undefined, slow);
  const { console, foreign } = open;
  press(console, ['c']);
  expect(messageOf(console)).toBe('No restart of bazaar counts.');
  console.restarts.changed(foreign.sample, config);
  press(console, ['c']);
  expect(messageOf(console)).toBe('Restart of bazaar cancelled. 1 change not applied; r restarts.');
  console.restarts.restart(foreign.sample);
  press(console, ['c']);
  expect(messageOf(console)).toMatch(
    /^Too late to cancel: the restart was sent at \d\d:\d\d:\d\d\.$/,
  );
});

test('a failed restart keeps its changes, in the sentence too', async () => {
  await using open = await openConsole({}, undefined, slow);
  const { console, foreign } = open;
  foreign.failNext(1, { status: 503, method: 'POST' });
  console.restarts.changed(foreign.sample, config);
  console.restart(foreign.sample);
  await expect
    .poll(() => messageOf(console))
    .toBe('Restart of bazaar failed: 503. Changes not applied. r asks again.');
  expect(kindOf(console, foreign.sample)).toBe('failed');
});

test('a closed deployment offers no restart', async () => {
  await using open = await openConsole();
  const { console, foreign } = open;
  await console.deployments.list.refresh();
  const { state } = console.deployments.list;
  state.setState(({ rows }) => ({
    rows: rows.map((row) => ({ ...row, value: { ...row.value, state: 'closed' } })),
  }));
  press(console, ['r']);
  expect(console.screen.getState().overlay).toBeUndefined();
  expect(messageOf(console)).toBe('bazaar is closed: nothing in it restarts.');
  console.restarts.changed(foreign.sample, config);
  state.setState(({ rows }) => ({ rows: [...rows] }));
  expect(kindOf(console, foreign.sample)).toBeUndefined();
});

test('leaving asks while restarts count, and opens on Stay', async () => {
  await using open = await openConsole({}, undefined, slow);
  const { console, foreign } = open;
  const on = quietTerminal();
  press(console, ['ctrl+z'], on);
  pressQuit(console, on);
  expect(on.done).toEqual(['suspend', 'quit']);
  console.restarts.changed(foreign.sample, config);
  pressQuit(console, on);
  expect(console.screen.getState().overlay).toMatchObject({
    kind: 'question',
    chosen: 0,
    question: { lines: ['bazaar: restart in 60s, 1 file'] },
  });
  answer(console, on);
  press(console, ['ctrl+z'], on);
  press(console, ['escape'], on);
  expect(on.done).toEqual(['suspend', 'quit']);
  expect(kindOf(console, foreign.sample)).toBe('counting');
});

test('Leave unapplied leaves at once and sends nothing', async () => {
  await using open = await openConsole({}, undefined, slow);
  const { console, foreign } = open;
  const on = quietTerminal();
  console.restarts.changed(foreign.sample, config);
  press(console, ['ctrl+z', 'up'], on);
  answer(console, on);
  expect(on.done).toEqual(['suspend']);
  expect(kindOf(console, foreign.sample)).toBe('not applied');
  await console.restarts.settle(1000);
  expect(restartsSent(foreign)).toBe(0);
});

test('Restart now sends, and leaves when it is accepted', async () => {
  await using open = await openConsole({}, undefined, slow);
  const { console, foreign } = open;
  const on = quietTerminal();
  console.restarts.changed(foreign.sample, config);
  pressQuit(console, on);
  press(console, ['down', 'down'], on);
  answer(console, on);
  expect(on.done).toEqual([]);
  await expect.poll(() => on.done).toEqual(['quit']);
  expect(restartsSent(foreign)).toBe(1);
});

test('one that fails meanwhile keeps the person here, and says why', async () => {
  await using open = await openConsole({}, undefined, slow);
  const { console, foreign } = open;
  const on = quietTerminal();
  foreign.failNext(1, { status: 503, method: 'POST' });
  console.restarts.changed(foreign.sample, config);
  pressQuit(console, on);
  press(console, ['down', 'down'], on);
  answer(console, on);
  await expect.poll(() => messageOf(console)).toContain('failed: 503');
  expect(console.screen.getState().overlay).toBeUndefined();
  expect(on.done).toEqual([]);
});

test('Wait leaves when the restart was sent and accepted, unless one stays', async () => {
  await using open = await openConsole({}, undefined, slow);
  const { console, foreign } = open;
  const on = quietTerminal();
  const wait = () => {
    console.restarts.changed(foreign.sample, config);
    pressQuit(console, on);
    press(console, ['down'], on);
    answer(console, on);
    expect(console.screen.getState().overlay).toMatchObject({ kind: 'question' });
  };
  wait();
  press(console, ['escape'], on);
  console.restarts.restart(foreign.sample);
  await expect.poll(() => kindOf(console, foreign.sample)).toBeUndefined();
  expect(on.done).toEqual([]);
  wait();
  console.restarts.restart(foreign.sample);
  await expect.poll(() => on.done).toEqual(['quit']);
});

test('what counts goes on when the box is closed, not when the help over it is', async () => {
  await using open = await openConsole({}, undefined, { restartDelay: 50 });
  const { console, foreign } = open;
  const restart = () => console.restarts.state.getState().get(foreign.sample);
  console.restarts.changed(foreign.sample, config);
  press(console, ['r', 'f1', 'escape']);
  expect(restart()).toMatchObject({ left: 50 });
  press(console, ['escape']);
  expect(restart()).toMatchObject({ left: 2000 });
});
