import { render } from 'ink-testing-library';
import { expect, test } from 'vitest';
import {
  reopenGrantForm,
  type GrantForm,
  newGrantForm,
} from '../../../source/store/grants/form.ts';
import { boxAnswersAfter } from '../../../source/store/deck/screen/overlay.ts';
import { completeGrant, parseGrantForm } from '../../../source/store/grants/form-reading.ts';
import { termsSentences } from '../../../source/store/grants/sentences.ts';
import { grantFormContext } from '../../../source/view/grants/facts.ts';
import { App } from '../../../source/view/shell/app.tsx';
import { DeckContext } from '../../../source/view/parts/context.ts';
import type { Deck } from '../../../source/store/deck/deck.ts';
import type { Foreign } from '../../servers/foreign.ts';
import { type OpenDeck, openDeck } from '../open-deck.ts';
import { boxOf, paste, press, said, type } from '../press-keys.ts';
import { waitFor } from '../../support/wait-for.ts';
import { setScreen } from '../../support/set-screen.ts';
import { boxText } from '../../support/box-text.ts';

const dana = '0x12ab34cd56ef78ab90cd12ef34ab56cd78ef9f3c';
const day = 24 * 60 * 60 * 1000;

/** A grant from the console's wallet, or the other way round. */
async function give(foreign: Foreign, grantee: string, from: 'me' | 'other' = 'me') {
  const token = from === 'me' ? foreign.token : foreign.otherToken;
  const answer = await fetch(`${foreign.baseUrl}/api/v1/grants`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      grantee,
      limit: 50,
      expires_at: new Date(Date.now() + 30 * day).toISOString(),
    }),
  });
  if (!answer.ok) throw new Error(`create grant answered ${answer.status}`);
}

async function openGrants(
  prepare: (foreign: Foreign) => Promise<void> | void = () => {},
): Promise<OpenDeck> {
  const open = await openDeck({}, prepare);
  press(open.deck, '3');
  return open;
}

/** The form that is up, standing there as if it had been read. */
function readForm(deck: Deck): GrantForm {
  const { overlay } = deck.screen.getState();
  if (overlay?.kind !== 'grant') throw new Error(`no form, but ${JSON.stringify(overlay)}`);
  const form = { ...overlay, shownAt: deck.clock.now() - boxAnswersAfter };
  setScreen(deck.screen, { overlay: form });
  return form;
}

const formOf = (deck: Deck) => waitFor(() => readForm(deck));

function fillIn(deck: Deck, to = dana, limit = '50', until = '30d'): void {
  for (const text of [to, limit, until]) {
    type(deck, text);
    press(deck, 'enter');
  }
}

const posts = (foreign: Foreign) => foreign.writes().map(({ method }) => method);

test('a, the fields, Tab and Enter create a grant and move the cursor to it', async () => {
  await using open = await openGrants((foreign) => give(foreign, 'cosmos1before'));
  const { deck, foreign } = open;
  press(deck, 'a');
  readForm(deck);
  fillIn(deck);
  press(deck, 'tab', 'enter');
  await said(deck, `${dana} may spend up to 50 until`);
  await waitFor(() => {
    const made = [...foreign.grants.values()].find(({ grantee }) => grantee === dana);
    expect(deck.screen.getState().cursors.grants.id).toBe(made?.id ?? 'none');
  });
  expect(deck.screen.getState().overlay).toBeUndefined();
  press(deck, 'a');
  expect(readForm(deck).lines.to.text).toBe('');
});

test('text that is typed at a button goes to the last field', async () => {
  await using open = await openGrants();
  const { deck } = open;
  press(deck, 'a', 'tab', 'tab', 'tab');
  expect(readForm(deck).stop).toBe('back');
  type(deck, '30d');
  expect(readForm(deck)).toMatchObject({ stop: 'until', lines: { until: { text: '30d' } } });
});

test('an empty list names the key that creates a grant', async () => {
  await using open = await openGrants();
  const view = render(
    <DeckContext.Provider value={open.deck}>
      <App />
    </DeckContext.Provider>,
  );
  await waitFor(() =>
    expect(view.lastFrame()).toContain('No grants. a lends part of your balance.'),
  );
  view.unmount();
});

test('a new grant does not move a cursor that was moved meanwhile', async () => {
  await using open = await openGrants(async (foreign) => {
    await give(foreign, dana);
    await give(foreign, foreign.otherWallet);
  });
  const { deck, foreign } = open;
  press(deck, 'a');
  readForm(deck);
  fillIn(deck);
  foreign.delay(100);
  press(deck, 'tab', 'enter', 'j');
  const there = deck.screen.getState().cursors.grants.id;
  await waitFor(() => expect(deck.lists.grants.ids()).toHaveLength(3));
  foreign.delay(0);
  await deck.grants.list.refresh();
  expect(there).toBe(deck.lists.grants.ids()[1]);
  expect(deck.screen.getState().cursors.grants.id).toBe(there);
});

test('a filter that hides the new grant is cleared', async () => {
  await using open = await openGrants((foreign) => give(foreign, 'cosmos1before'));
  const { deck } = open;
  press(deck, '/');
  type(deck, 'before');
  press(deck, 'enter', 'a');
  readForm(deck);
  fillIn(deck);
  press(deck, 'tab', 'enter');
  await waitFor(() => expect(deck.lists.grants.ids()).toHaveLength(2));
  await waitFor(() => expect(deck.screen.getState().filters.grants).toBe(''));
});

test('a new grant does not close a filter that is being typed', async () => {
  await using open = await openGrants((foreign) => give(foreign, 'cosmos1before'));
  const { deck } = open;
  press(deck, 'a');
  readForm(deck);
  fillIn(deck);
  press(deck, 'tab', 'enter', '/');
  type(deck, 'before');
  const { rows } = deck.grants.list.state.getState();
  await said(deck, `${dana} may spend up to 50 until`);
  await waitFor(() => expect(deck.grants.list.state.getState().rows).not.toBe(rows));
  // The cursor is set right behind the list.
  await Promise.resolve();
  expect(deck.screen.getState().filters.grants).toBe('before');
  press(deck, 'x');
  expect(deck.screen.getState().filters.grants).toBe('beforex');
});

test('keys typed before the form appears grant nothing', async () => {
  await using open = await openGrants();
  const { deck, foreign } = open;
  press(deck, 'a');
  fillIn(deck);
  press(deck, 'enter', 'tab', 'enter', 'enter');
  expect(deck.screen.getState().overlay?.kind).toBe('grant');
  expect(posts(foreign)).toEqual([]);
});

test('the form opens on its first field, and Enter on Cancel sends nothing and keeps the input', async () => {
  await using open = await openGrants();
  const { deck, foreign } = open;
  press(deck, 'a');
  expect(readForm(deck).stop).toBe('to');
  fillIn(deck);
  expect(readForm(deck).stop).toBe('back');
  press(deck, 'enter');
  expect(deck.screen.getState().overlay).toBeUndefined();
  press(deck, 'a');
  expect(readForm(deck).lines.limit.text).toBe('50');
  press(deck, 'escape', 'a');
  expect(readForm(deck).lines.until.text).toBe('30d');
  expect(posts(foreign)).toEqual([]);
});

test('a paste of 10 kB is text in one field and grants nothing', async () => {
  await using open = await openGrants();
  const { deck, foreign } = open;
  press(deck, 'a');
  readForm(deck);
  paste(deck, 'x\r\ty\u001b[B\n'.repeat(1300));
  const form = readForm(deck);
  expect(form.stop).toBe('to');
  expect(form.lines.to.text).not.toMatch(/\p{Cc}/u);
  expect(posts(foreign)).toEqual([]);
});

test.each([400, 401, 403, 409, 422, 429, 500, 503])(
  'after a refusal with %i the form opens again with its input, on Cancel',
  async (status) => {
    await using open = await openGrants();
    const { deck, foreign } = open;
    press(deck, 'a');
    readForm(deck);
    fillIn(deck);
    foreign.failNext(1, { status, method: 'POST', body: '{"error":"not like this"}' });
    press(deck, 'tab', 'enter');
    await said(deck, 'Nothing was granted.');
    const form = await formOf(deck);
    expect(form.stop).toBe('back');
    expect(form.refused).toContain('It says: not like this');
    expect(Object.values(form.lines).map(({ text }) => text)).toEqual([dana, '50', '30d']);
    expect(posts(foreign)).toEqual(['POST']);
    press(deck, 'tab', 'enter');
    await said(deck, 'may spend up to 50');
    expect(foreign.grants.size).toBe(1);
  },
);

test('an answer that a gateway lost leaves the outcome unknown', async () => {
  await using open = await openGrants();
  const { deck, foreign } = open;
  press(deck, 'a');
  readForm(deck);
  fillIn(deck);
  foreign.failNext(1, { status: 502, method: 'POST' });
  press(deck, 'tab', 'enter');
  await said(deck, 'The grant may have been created. Check the list before you retry.');
  expect((await formOf(deck)).refused).toContain('The grant may have been created');
  expect(posts(foreign)).toEqual(['POST']);
});

test('a form that awaits its answer does not open again', async () => {
  await using open = await openGrants();
  const { deck, foreign } = open;
  press(deck, 'a');
  readForm(deck);
  fillIn(deck);
  foreign.delay(300);
  press(deck, 'tab', 'enter', 'a');
  await said(deck, 'waiting for the answer');
  expect(deck.screen.getState().overlay).toBeUndefined();
  await said(deck, 'may spend up to 50');
  expect(posts(foreign)).toEqual(['POST']);
});

test('A fills in the grant under the cursor, separately from the form of a', async () => {
  await using open = await openGrants((foreign) => give(foreign, dana));
  const { deck, foreign } = open;
  press(deck, 'a', '7', 'escape', 'A');
  const form = readForm(deck);
  expect(Object.values(form.lines).map(({ text }) => text)).toEqual([dana, '50', '30d']);
  press(deck, 'shift+tab', 'enter');
  await said(deck, 'may spend up to 50');
  expect([...foreign.grants.values()].map(({ grantee }) => grantee)).toEqual([dana, dana]);
  press(deck, 'a');
  expect(readForm(deck).lines.to.text).toBe('7');
});

test('A and X on a received grant show the reason and open nothing', async () => {
  await using open = await openGrants((foreign) => give(foreign, foreign.wallet, 'other'));
  const { deck, foreign } = open;
  press(deck, 'A');
  await said(deck, `Only its grantor can grant it again: ${foreign.otherWallet}.`);
  press(deck, 'X');
  await said(deck, `Only its grantor can revoke this grant: ${foreign.otherWallet}.`);
  expect(deck.screen.getState().overlay).toBeUndefined();
});

test('X revokes after the last four characters of the address are typed', async () => {
  await using open = await openGrants((foreign) => give(foreign, dana));
  const { deck, foreign } = open;
  press(deck, 'X');
  const question = await boxOf(deck, 'revoke the grant to');
  expect(boxText(question)).toContain(dana);
  press(deck, 'tab', 'enter');
  expect(foreign.grants.size).toBe(1);
  type(deck, '9f3c');
  press(deck, 'enter');
  await said(deck, `Revoked the grant to ${dana}`);
  expect(foreign.grants.size).toBe(0);
  await waitFor(() => expect(deck.lists.grants.ids()).toEqual([]));
});

test('a grant that disappeared while the box was open is not revoked', async () => {
  await using open = await openGrants((foreign) => give(foreign, dana));
  const { deck, foreign } = open;
  press(deck, 'X');
  await boxOf(deck, 'revoke the grant to');
  foreign.grants.clear();
  await deck.grants.list.refresh();
  type(deck, '9f3c');
  press(deck, 'tab', 'enter');
  await said(deck, 'The grant is not listed. Nothing was sent.');
  expect(posts(foreign)).toEqual(['POST']);
});

test('messages distinguish a failed revocation from an unknown outcome', async () => {
  await using open = await openGrants((foreign) => give(foreign, dana));
  const { deck, foreign } = open;
  for (const [status, sentence] of [
    [503, 'was not revoked.'],
    [502, 'may have been revoked. Check the list. X: revoke again.'],
  ] as const) {
    press(deck, 'X');
    await boxOf(deck, 'revoke the grant to');
    foreign.failNext(1, { status, method: 'DELETE' });
    type(deck, '9f3c');
    press(deck, 'tab', 'enter');
    await said(deck, sentence);
    press(deck, 'escape');
  }
  expect(foreign.grants.size).toBe(1);
});

test('a grant that could not be revoked here is reported when it disappears', async () => {
  await using open = await openGrants((foreign) => give(foreign, dana));
  const { deck, foreign } = open;
  press(deck, 'X');
  await boxOf(deck, 'revoke the grant to');
  foreign.failNext(1, { status: 403, method: 'DELETE' });
  type(deck, '9f3c');
  press(deck, 'tab', 'enter');
  await said(deck, 'was not revoked.');
  foreign.grants.clear();
  await deck.grants.list.refresh();
  await said(deck, 'is not listed.');
});

test('the form is a box over the list that suggests whole addresses', async () => {
  await using open = await openGrants((foreign) => give(foreign, dana));
  const { deck } = open;
  press(deck, 'a');
  const view = render(
    <DeckContext.Provider value={deck}>
      <App />
    </DeckContext.Provider>,
  );
  const frame = () => view.lastFrame() ?? '';
  type(deck, '0x12');
  await waitFor(() => expect(frame()).toContain(`│ > ${dana}`));
  expect(frame()).toContain('test: new grant ─');
  press(deck, 'enter');
  type(deck, '50');
  await waitFor(() => expect(frame()).toContain('│ Limit   50 '));
  expect(frame()).toContain(`│ To      ${dana}`);
  expect(frame()).toContain('└ Tab Enter next field  Esc back, keep input ─');
  view.unmount();
});

test('a form that opens again at once becomes answerable like a new one', async () => {
  await using open = await openGrants();
  const { deck } = open;
  press(deck, 'a');
  const view = render(
    <DeckContext.Provider value={deck}>
      <App />
    </DeckContext.Provider>,
  );
  const isShown = () => {
    const { overlay } = deck.screen.getState();
    expect(overlay?.kind === 'grant' && Number.isFinite(overlay.shownAt)).toBe(true);
  };
  await waitFor(isShown);
  setScreen(deck.screen, { overlay: reopenGrantForm(newGrantForm(), 'Refused.') });
  await waitFor(isShown);
  view.unmount();
});

test('on a small terminal PgUp and PgDn show every row of the form above its buttons', async () => {
  await using open = await openGrants();
  const { deck } = open;
  press(deck, 'a');
  fillIn(deck);
  const view = render(
    <DeckContext value={deck}>
      <App />
    </DeckContext>,
  );
  Object.defineProperty(view.stdout, 'columns', { value: 40, configurable: true });
  Object.defineProperty(view.stdout, 'rows', { value: 10, configurable: true });
  view.stdout.emit('resize');
  const rows = () => (view.lastFrame() ?? '').split('\n').map((row) => row.trimEnd());
  await waitFor(() => expect(rows()[1]).toMatch(/^ test: new grant ━+ 6 of \d+$/));
  const seen = new Set<string>();
  const isAtEnd = () => {
    for (const row of rows().slice(2, 8)) seen.add(row);
    const [, last, count] = / (\d+) of (\d+)$/.exec(rows()[1] ?? '') ?? [];
    return last === count;
  };
  isAtEnd();
  press(deck, 'pagedown');
  await waitFor(() => expect(rows()[1]).toMatch(/ (?:[7-9]|\d\d) of \d+$/));
  press(deck, 'pagedown', 'pagedown');
  await waitFor(() => expect(isAtEnd()).toBe(true));
  const order = completeGrant(parseGrantForm(await formOf(deck), grantFormContext(deck)));
  if (order === undefined) throw new Error('the form is incomplete');
  const terms = termsSentences(order).join(' ');
  press(deck, 'pageup', 'pageup');
  await waitFor(() => expect(rows()[2]).toMatch(/^To /));
  isAtEnd();
  // An address is longer than a row.
  const text = [...seen].join('').replaceAll(' ', '');
  for (const word of terms.split(' ')) expect(text).toContain(word);
  expect(rows()[8]).toMatch(/^\[Cancel\] {3}Grant|^Cancel {3}\[Grant\]/);
  view.unmount();
});
