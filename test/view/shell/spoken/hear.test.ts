import { describe, expect, test } from 'vitest';
import type { Deck } from '../../../../source/store/deck/deck.ts';
import { registeredCommands } from '../../../../source/view/shell/commands.ts';
import { dispatch } from '../../../../source/view/shell/dispatch.ts';
import { editFile } from '../../../../source/view/editor/document.ts';
import { hear } from '../../../../source/view/shell/spoken/hear.ts';
import { statusWords } from '../../../../source/view/shell/spoken/status-words.ts';
import { unseenSize } from '../../../../source/terminal/screen/unseen-screen.ts';
import { waitFor } from '../../../support/wait-for.ts';
import { createDeployment } from '../../../e2e/foreign-console.ts';
import { openDeck } from '../../open-deck.ts';
import { boxOf, goToFile, press, type } from '../../press-keys.ts';
import { quietTerminal } from '../../quiet-terminal.ts';

const heard = (deck: Deck) => hear(deck, registeredCommands, unseenSize);

/** Waits for an open box in words. */
const boxIn = (deck: Deck) =>
  waitFor(() => {
    const { box } = heard(deck);
    if (box === undefined) throw new Error('no box is open');
    return box;
  });

describe('a pane in words', () => {
  test('names its place, and the row under the cursor with its position', async () => {
    await using open = await openDeck();
    const { deck } = open;
    press(deck, '1');
    expect(heard(deck)).toMatchObject({
      place: { text: '1 Deployments 1' },
      row: {
        text: expect.stringMatching(
          /^bazaar, running, age \w+, services web worker, opened, 1 of 1$/,
        ),
        state: 'running',
      },
    });
    goToFile(deck, 'README.md');
    expect(heard(deck)).toMatchObject({
      place: { text: '2 Files bazaar/web 4' },
      row: { text: expect.stringMatching(/^README\.md, .*\d+ of \d+$/) },
    });
    press(deck, 'space');
    expect(heard(deck).row?.text).toMatch(/^(?:marked, )?README\.md/);
    press(deck, '3');
    expect(heard(deck)).toMatchObject({ row: { text: 'The list is empty.' } });
  });

  test('of a text has the visible lines, and those of a match', async () => {
    await using open = await openDeck();
    const { deck } = open;
    goToFile(deck, 'README.md');
    press(deck, 'enter');
    const { page } = await waitFor(() => {
      const now = heard(deck);
      if (now.page === undefined) throw new Error('the file is not there yet');
      return now;
    });
    expect(page?.lines.length).toBeGreaterThan(0);
    expect(heard(deck).place.text).toBe('4 View README.md');
  });

  test('of the log has the followed end, or the line under the cursor', async () => {
    await using open = await openDeck();
    const { deck, foreign } = open;
    press(deck, 'ctrl+t');
    foreign.append(foreign.sample, 'web', '{"level":"error","msg":"no table","code":7}');
    await waitFor(() => {
      expect(heard(deck).row?.text).toBe('Following, last line: web: ERROR no table code=7');
    });
    press(deck, 'k', 'j');
    expect(heard(deck).row?.text).toMatch(/^web: ERROR no table code=7, \d\d:\d\d:\d\d\.\d+$/);
    expect(heard(deck).facts).toContainEqual(expect.objectContaining({ text: 'Paused.' }));
  });
});

test('a countdown to a restart is heard until it is cancelled', async () => {
  await using open = await openDeck({}, undefined, { restartDelay: 60_000 });
  const { deck, foreign } = open;
  deck.restarts.filesChanged(foreign.sample, { service: 'web', path: 'index.html' });
  const countdown = expect.objectContaining({ text: 'bazaar restarts in 60s.' });
  expect(heard(deck).facts).toContainEqual(countdown);
  deck.restarts.cancel(foreign.sample);
  expect(heard(deck).facts).not.toContainEqual(countdown);
});

describe('a box in words', () => {
  test.each<[readonly string[], RegExp, object]>([
    [['1', '?'], /^Help: Deployments, \d+ commands\./, { field: { label: 'Find: ' } }],
    [['1', ':'], /^test: command\./, { field: { label: 'Command: ' } }],
    [['1', '/'], /^Filter\. Enter keep/, { field: { label: 'Filter: ' } }],
    [['2', 's'], /^test: service\. A digit chooses/, { answers: ['web', 'worker'] }],
    [['1', 'a'], /^test: new deployment from\./, { answers: expect.arrayContaining([]) }],
    [['1', 'r'], /^test: restart bazaar\?$/, { answers: ['Cancel', 'Restart now'] }],
    [['1', 'X'], /^test: close bazaar\?$/, { answers: [], field: { label: 'Type: ' } }],
    [['3', 'a'], /^test: new grant\./, { field: { label: 'To: ' } }],
    [['ctrl+t', 's'], /^test: services shown\./, { row: { text: 'all services, shown' } }],
    [['ctrl+t', '&'], /^Enter keep/, { field: { label: '&' } }],
  ])('%j', async (keys, intro, expected) => {
    await using open = await openDeck();
    const { deck } = open;
    const terminal = quietTerminal();
    for (const name of keys) {
      const text = name.length === 1 ? { text: name } : {};
      dispatch({ name, ...text }, { deck, terminal, viewport: { rows: 10, lines: 10 } });
    }
    const box = await boxIn(deck);
    expect(box.intro[0]).toMatch(intro);
    expect(box).toMatchObject(expected);
    const said = [...box.intro, ...(box.answers ?? []), box.row?.text ?? '', box.found ?? ''];
    expect(said.filter((line) => /[\n\r]/.test(line))).toEqual([]);
  });

  test('says the name to type, and when it is typed', async () => {
    await using open = await openDeck();
    const { deck } = open;
    press(deck, '1', 'X');
    await boxOf(deck, 'close bazaar');
    expect(heard(deck).box?.intro.at(-1)).toBe(
      'Type bazaar, then Tab to Close and Enter. Esc: cancel.',
    );
    type(deck, 'bazaa');
    expect(heard(deck).box?.found).toBeUndefined();
    type(deck, 'r');
    expect(heard(deck).box?.found).toBe('Typed. Tab to Close and Enter.');
  });
});

test('a filter of a list is said with what it shows of how many rows, and how to clear it', async () => {
  await using open = await openDeck({}, async (foreign) => {
    for (const name of ['shop', 'other']) await createDeployment(foreign, name);
  });
  const { deck } = open;
  const filters = () => heard(deck).facts.filter(({ key }) => key.startsWith('filter'));
  await waitFor(() => expect(deck.lists.deployments.ids()).toHaveLength(3));
  expect(filters()).toEqual([]);
  press(deck, '1', '/');
  type(deck, 'shop');
  expect(filters()).toMatchObject([{ isHeld: true }]);
  press(deck, 'enter');
  expect(filters()).toMatchObject([
    { text: 'Filter shop: 1 of 3 deployments.', ended: 'No filter.' },
  ]);
  press(deck, '/');
  type(deck, 'zzz');
  press(deck, 'enter');
  expect(filters()[0]?.text).toBe('Filter zzz: no match in 3 deployments. Esc clears the filter.');
  press(deck, 'escape');
  expect(filters()).toEqual([]);
});

test('of many alerts three are said, and the number of the others', async () => {
  await using open = await openDeck({}, async (foreign) => {
    for (let number = 0; number < 6; number += 1) await createDeployment(foreign, `d${number}`);
  });
  const { deck, foreign } = open;
  for (const [id, deployment] of foreign.deployments) {
    if (id !== foreign.sample) Object.assign(deployment, { state: 'failed', status: 'failed' });
  }
  const isStateShown = () => {
    deck.refresh.now();
    const alerts = heard(deck).facts.filter(({ key }) => key.includes('alert'));
    expect(alerts).toHaveLength(4);
    expect(alerts[0]?.text).toMatch(/^d\d has failed\. ! opens its log\.$/);
    expect(alerts[3]?.text).toBe('3 more alerts.');
  };
  await waitFor(isStateShown);
});

test('marks are counted, and ^L says how things stand', async () => {
  await using open = await openDeck();
  const { deck } = open;
  press(deck, '1', 'space');
  expect(heard(deck).facts).toContainEqual(expect.objectContaining({ text: '1 marked.' }));
  expect(heard(deck).row?.text).toMatch(/^marked, bazaar/);
  press(deck, 'space');
  expect(heard(deck).facts.map(({ text }) => text)).not.toContain('1 marked.');
  const { sample: deploymentId } = open.foreign;
  await editFile(deck, { deploymentId, service: 'web', path: 'README.md' });
  press(deck, 'x', 'ctrl+q');
  await waitFor(() => expect(statusWords(deck)).toMatch(/^1 draft, log live \d+\/s/));
});
