import { Box } from 'ink';
import { render } from 'ink-testing-library';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import type { Deck } from '../../../source/store/deck/deck.ts';
import { messageLife } from '../../../source/store/deck/screen/message.ts';
import { DeckContext } from '../../../source/view/parts/context.ts';
import { RestartsBox } from '../../../source/view/restarts/pending-box.tsx';
import { OverlayBox } from '../../../source/view/shell/overlay-box.tsx';
import { dispatch } from '../../../source/view/shell/dispatch.ts';
import { quitPrompt } from '../../../source/view/shell/quit-commands.ts';
import { DeploymentsPane } from '../../../source/view/deployments/pane.tsx';
import { StatusRow } from '../../../source/view/shell/status-row.tsx';
import { openDeck } from '../open-deck.ts';
import { type QuietTerminal, quietTerminal } from '../quiet-terminal.ts';
import { restartNow } from '../../../source/view/restarts/control.ts';
import { setScreen } from '../../support/set-screen.ts';

const config = { service: 'web', path: 'config/app.yaml' };
const page = { service: 'web', path: 'index.html' };

/** A restart delay that no test reaches. */
const slow = { restartDelay: 60_000 };

function press(deck: Deck, names: readonly string[], on: QuietTerminal = quietTerminal()): void {
  for (const name of names) {
    dispatch({ name }, { deck, terminal: on, viewport: { rows: 10, lines: 100 } });
  }
}

/** Enter, as if the box had been read before. */
function answer(deck: Deck, on?: QuietTerminal): void {
  setScreen(deck.screen, ({ overlay }) =>
    overlay !== undefined && 'shownAt' in overlay ? { overlay: { ...overlay, shownAt: 0 } } : {},
  );
  press(deck, ['enter'], on);
}

/** `q` twice, with time to read in between. */
function pressQuit(deck: Deck, on: QuietTerminal): void {
  press(deck, ['q'], on);
  deck.screen.message.askToLeave(quitPrompt('app.quit'), Date.now() - messageLife / 2);
  press(deck, ['q'], on);
}

function draw(deck: Deck, part: ReactNode): readonly string[] {
  const drawn = render(
    <DeckContext value={deck}>
      <Box width={80} height={24}>
        {part}
      </Box>
    </DeckContext>,
  );
  const rows = (drawn.lastFrame() ?? '').split('\n').map((row) => row.trim());
  drawn.unmount();
  return rows.filter((row) => row !== '');
}

const messageOf = (deck: Deck) => deck.screen.getState().message?.text;
const kindOf = (deck: Deck, id: string) => deck.restarts.state.getState().get(id)?.kind;

function restartsSent({ requests }: { readonly requests: readonly { readonly path: string }[] }) {
  return requests.filter(({ path }) => path.endsWith('/restart')).length;
}

test('row 1 and the row of the deployment show the countdown', async () => {
  await using open = await openDeck({}, undefined, slow);
  const { deck, foreign } = open;
  deck.restarts.filesChanged(foreign.sample, config, page);
  expect(draw(deck, <StatusRow width={80} />)[0]).toContain('restart 60s');
  expect(draw(deck, <DeploymentsPane width={80} height={5} focused />)[1]).toMatch(
    / restart 60s .* 2 files$/,
  );
});

test('the box lists the pending restarts with their details', async () => {
  await using open = await openDeck({}, undefined, {
    ...slow,
    owed: [{ deploymentId: 'old', name: 'older', files: [page], state: 'failed', since: 0 }],
  });
  const { deck, foreign } = open;
  deck.restarts.filesChanged(foreign.sample, config, page);
  const rows = draw(
    deck,
    <RestartsBox deployment={foreign.sample} button={0} columns={80} rows={24} />,
  );
  expect(rows.every((row) => row.length === 64)).toBe(true);
  expect(rows[0]).toMatch(/^┌ test: pending restarts \(paused\) ─+┐$/);
  expect(rows[1]).toMatch(/^│ {3}older {7}unapplied {4}1 file, since \d\d:\d\d +│$/);
  expect(rows[2]).toMatch(/^│ > bazaar {6}60s left {5}web config\/app.yaml index.html +│$/);
  expect(rows.at(-3)).toMatch(/^│ Stops and starts 2 services\. +│$/);
  expect(rows.at(-2)).toMatch(/^│ \[Resume countdown\] {3}Restart now {3}Don't restart +│$/);
  expect(rows.at(-1)).toMatch(/^└ Up\/Down {2}Tab {2}Enter {2}Esc resume countdown ─+┘$/);
});

test('the box promises no countdown where none runs', async () => {
  await using open = await openDeck({}, undefined, slow);
  const { deck, foreign } = open;
  deck.restarts.filesChanged(foreign.sample, config);
  deck.restarts.cancel(foreign.sample);
  const rows = draw(
    deck,
    <RestartsBox deployment={foreign.sample} button={0} columns={80} rows={24} />,
  );
  expect(rows[0]).toMatch(/^┌ test: restarts ─+┐$/);
  expect(rows.at(-2)).toMatch(/^│ \[Cancel\] {3}Restart now {3}Don't restart +│$/);
  expect(rows.at(-1)).toMatch(/^└ Up\/Down {2}Tab {2}Enter {2}Esc cancel ─+┘$/);
});

test('a box that is too low keeps the chosen row visible', async () => {
  await using open = await openDeck({}, undefined, slow);
  const { deck } = open;
  for (let index = 0; index < 50; index += 1) deck.restarts.filesChanged(`many-${index}`, page);
  for (const chosen of ['many-0', 'many-25', 'many-49']) {
    const rows = draw(deck, <RestartsBox deployment={chosen} button={0} columns={80} rows={24} />);
    expect(rows.filter((row) => row.startsWith('│ > '))).toHaveLength(1);
    expect(rows.join('\n')).toContain(`> ${chosen} `);
    expect(rows.join('\n')).toContain('Resume countdown');
    expect(rows.length).toBeLessThanOrEqual(22);
  }
});

test('on a small terminal the files of the chosen restart only are listed, all of them', async () => {
  await using open = await openDeck({}, undefined, slow);
  const { deck, foreign } = open;
  deck.restarts.filesChanged('other', page);
  const long = { service: 'worker', path: 'config/of/a/worker/settings.yaml' };
  deck.restarts.filesChanged(foreign.sample, config, page, long);
  const rows = draw(
    deck,
    <RestartsBox deployment={foreign.sample} button={0} columns={40} rows={12} />,
  );
  expect(rows).toEqual([
    expect.stringMatching(/^test: pending restarts \(paused\) ━+$/),
    expect.stringMatching(/^other +60s left$/),
    expect.stringMatching(/^> bazaar +60s left$/),
    'web config/app.yaml index.html, worker',
    'config/of/a/worker/settings.yaml',
    'Stops and starts 2 services.',
    '[Resume countdown]   Restart now',
    "Don't restart",
    'Up/Down  Enter  Esc resume countdown',
  ]);
});

test('PgDn scrolls the pending restarts, and Down shows the chosen one again', async () => {
  await using open = await openDeck({}, undefined, slow);
  const { deck } = open;
  for (let index = 0; index < 20; index += 1) deck.restarts.filesChanged(`many-${index}`, page);
  deck.screen.overlay.open({ kind: 'restarts', deployment: 'many-0', button: 0, shownAt: 0 });
  const view = render(
    <DeckContext value={deck}>
      <Box width={40} height={12}>
        <OverlayBox columns={40} rows={12} />
      </Box>
    </DeckContext>,
  );
  const frame = () => view.lastFrame() ?? '';
  await expect.poll(frame).toMatch(/ 6 of 21\n> many-0 /);
  press(deck, ['pagedown', 'pagedown', 'pagedown', 'pagedown']);
  await expect.poll(frame).toMatch(/ 21 of 21\n/);
  expect(frame()).not.toContain('many-0 ');
  expect(frame()).toContain('[Resume countdown]');
  press(deck, ['down']);
  await expect.poll(frame).toContain('> many-1 ');
  view.unmount();
});

test('r opens the box of the row under the cursor, pauses the countdown, and Enter resumes it', async () => {
  await using open = await openDeck({}, undefined, slow);
  const { deck, foreign } = open;
  deck.restarts.filesChanged(foreign.sample, config);
  press(deck, ['r']);
  expect(deck.screen.getState().overlay).toMatchObject({
    kind: 'restarts',
    deployment: foreign.sample,
    button: 0,
  });
  answer(deck);
  expect(deck.screen.getState().overlay).toBeUndefined();
  expect(kindOf(deck, foreign.sample)).toBe('counting');
});

test('Enter typed before the box appears answers nothing', async () => {
  await using open = await openDeck({}, undefined, slow);
  const { deck, foreign } = open;
  deck.restarts.filesChanged(foreign.sample, config);
  press(deck, ['r', 'tab', 'enter', 'x']);
  expect(deck.screen.getState().overlay).toMatchObject({ kind: 'restarts', button: 1 });
  expect(restartsSent(foreign)).toBe(0);
});

test('the key that cancels a restart does so in the box, unless it was typed before', async () => {
  await using open = await openDeck({}, undefined, slow);
  const { deck, foreign } = open;
  deck.restarts.filesChanged(foreign.sample, config);
  press(deck, ['r', 'c']);
  expect(kindOf(deck, foreign.sample)).toBe('counting');
  deck.screen.overlay.setShownAt(0);
  press(deck, ['c']);
  expect(deck.screen.getState().overlay).toBeUndefined();
  expect(kindOf(deck, foreign.sample)).toBe('unapplied');
  expect(restartsSent(foreign)).toBe(0);
});

test('the second button restarts now, once', async () => {
  await using open = await openDeck({}, undefined, slow);
  const { deck, foreign } = open;
  deck.restarts.filesChanged(foreign.sample, config);
  press(deck, ['r', 'tab']);
  answer(deck);
  await expect.poll(() => messageOf(deck)).toBe('bazaar is restarting.');
  expect(kindOf(deck, foreign.sample)).toBeUndefined();
  expect(restartsSent(foreign)).toBe(1);
});

test('the third button leaves the changes unapplied', async () => {
  await using open = await openDeck({}, undefined, slow);
  const { deck, foreign } = open;
  deck.restarts.filesChanged(foreign.sample, config, page);
  press(deck, ['r', 'shift+tab']);
  answer(deck);
  expect(messageOf(deck)).toBe('Restart of bazaar cancelled. 2 changes unapplied; r restarts.');
  expect(kindOf(deck, foreign.sample)).toBe('unapplied');
});

test('Up and Down choose a pending restart by its id', async () => {
  await using open = await openDeck({}, undefined, slow);
  const { deck, foreign } = open;
  const chosen = () => deck.screen.getState().overlay;
  deck.restarts.filesChanged(foreign.sample, config);
  deck.restarts.filesChanged('other', page);
  press(deck, ['r', 'down', 'down']);
  expect(chosen()).toMatchObject({ deployment: 'other' });
  deck.restarts.forget('other');
  press(deck, ['tab', 'tab']);
  answer(deck);
  expect(kindOf(deck, foreign.sample)).toBe('counting');
  expect(restartsSent(foreign)).toBe(0);
});

test('outside the list, ^R shows the pending restarts of other deployments', async () => {
  await using open = await openDeck({}, undefined, slow);
  const { deck, foreign } = open;
  deck.restarts.filesChanged('other', page);
  press(deck, ['1', 'ctrl+r']);
  expect(deck.screen.getState().overlay).toMatchObject({ kind: 'restart' });
  press(deck, ['escape', '4', 'ctrl+r']);
  expect(deck.screen.getState().overlay).toMatchObject({ kind: 'restarts' });
  const rows = draw(
    deck,
    <RestartsBox deployment={foreign.sample} button={0} columns={80} rows={24} />,
  );
  expect(rows[1]).toMatch(/> bazaar +unchanged/);
});

test('c cancels a countdown, and reports a restart that was already sent', async () => {
  await using open = await openDeck({}, undefined, slow);
  const { deck, foreign } = open;
  press(deck, ['c']);
  expect(messageOf(deck)).toBe('No restart is pending for bazaar.');
  deck.restarts.filesChanged(foreign.sample, config);
  press(deck, ['c']);
  expect(messageOf(deck)).toBe('Restart of bazaar cancelled. 1 change unapplied; r restarts.');
  deck.restarts.restart(foreign.sample);
  press(deck, ['c']);
  expect(messageOf(deck)).toMatch(/^Can't cancel: the restart was sent at \d\d:\d\d:\d\d\.$/);
});

test('a failed restart keeps its changes, and the message says so', async () => {
  await using open = await openDeck({}, undefined, slow);
  const { deck, foreign } = open;
  foreign.failNext(1, { status: 503, method: 'POST' });
  deck.restarts.filesChanged(foreign.sample, config);
  restartNow(deck, foreign.sample);
  await expect
    .poll(() => messageOf(deck))
    .toBe('Restart of bazaar failed (503). Changes are unapplied. r: restart again.');
  expect(kindOf(deck, foreign.sample)).toBe('failed');
});

test('a closed deployment offers no restart', async () => {
  await using open = await openDeck();
  const { deck, foreign } = open;
  await deck.deployments.list.refresh();
  const { state } = deck.deployments.list;
  state.setState(({ rows }) => ({
    rows: rows.map((row) => ({ ...row, value: { ...row.value, state: 'closed' } })),
  }));
  press(deck, ['r']);
  expect(deck.screen.getState().overlay).toBeUndefined();
  expect(messageOf(deck)).toBe("bazaar is closed and can't be restarted.");
  deck.restarts.filesChanged(foreign.sample, config);
  state.setState(({ rows }) => ({ rows: [...rows] }));
  expect(kindOf(deck, foreign.sample)).toBeUndefined();
});

test("leaving asks while restarts are pending, and opens on Don't quit", async () => {
  await using open = await openDeck({}, undefined, slow);
  const { deck, foreign } = open;
  const on = quietTerminal();
  press(deck, ['ctrl+z'], on);
  pressQuit(deck, on);
  expect(on.done).toEqual(['suspend', 'quit']);
  deck.restarts.filesChanged(foreign.sample, config);
  pressQuit(deck, on);
  expect(deck.screen.getState().overlay).toMatchObject({
    kind: 'question',
    chosen: 0,
    question: { lines: ['bazaar: restart in 60s, 1 file'] },
  });
  answer(deck, on);
  press(deck, ['ctrl+z'], on);
  press(deck, ['escape'], on);
  expect(on.done).toEqual(['suspend', 'quit']);
  expect(kindOf(deck, foreign.sample)).toBe('counting');
});

test("Quit, don't restart leaves at once and sends nothing", async () => {
  await using open = await openDeck({}, undefined, slow);
  const { deck, foreign } = open;
  const on = quietTerminal();
  deck.restarts.filesChanged(foreign.sample, config);
  press(deck, ['ctrl+z', 'up'], on);
  answer(deck, on);
  expect(on.done).toEqual(['suspend']);
  expect(kindOf(deck, foreign.sample)).toBe('unapplied');
  await deck.restarts.settle(1000);
  expect(restartsSent(foreign)).toBe(0);
});

test('Restart now sends the restart, and quits when it is accepted', async () => {
  await using open = await openDeck({}, undefined, slow);
  const { deck, foreign } = open;
  const on = quietTerminal();
  deck.restarts.filesChanged(foreign.sample, config);
  pressQuit(deck, on);
  press(deck, ['down', 'down'], on);
  answer(deck, on);
  expect(on.done).toEqual([]);
  await expect.poll(() => on.done).toEqual(['quit']);
  expect(restartsSent(foreign)).toBe(1);
});

test('a restart that fails cancels quitting and shows the error', async () => {
  await using open = await openDeck({}, undefined, slow);
  const { deck, foreign } = open;
  const on = quietTerminal();
  foreign.failNext(1, { status: 503, method: 'POST' });
  deck.restarts.filesChanged(foreign.sample, config);
  pressQuit(deck, on);
  press(deck, ['down', 'down'], on);
  answer(deck, on);
  await expect.poll(() => messageOf(deck)).toContain('failed (503)');
  expect(deck.screen.getState().overlay).toBeUndefined();
  expect(on.done).toEqual([]);
});

test('waiting quits when the restart was sent and accepted, unless another remains', async () => {
  await using open = await openDeck({}, undefined, slow);
  const { deck, foreign } = open;
  const on = quietTerminal();
  const wait = () => {
    deck.restarts.filesChanged(foreign.sample, config);
    pressQuit(deck, on);
    press(deck, ['down'], on);
    answer(deck, on);
    expect(deck.screen.getState().overlay).toMatchObject({ kind: 'question' });
  };
  wait();
  press(deck, ['escape'], on);
  deck.restarts.restart(foreign.sample);
  await expect.poll(() => kindOf(deck, foreign.sample)).toBeUndefined();
  expect(on.done).toEqual([]);
  wait();
  deck.restarts.restart(foreign.sample);
  await expect.poll(() => on.done).toEqual(['quit']);
});

test('the countdown resumes when the box closes, not when the help over it closes', async () => {
  await using open = await openDeck({}, undefined, { restartDelay: 50 });
  const { deck, foreign } = open;
  const restart = () => deck.restarts.state.getState().get(foreign.sample);
  deck.restarts.filesChanged(foreign.sample, config);
  press(deck, ['r', 'f1', 'escape']);
  expect(restart()).toMatchObject({ left: 50 });
  press(deck, ['escape']);
  expect(restart()).toMatchObject({ left: 2000 });
});
