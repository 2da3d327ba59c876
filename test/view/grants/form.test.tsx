import { render } from 'ink-testing-library';
import { expect, test } from 'vitest';
import { comeAgain, type GrantForm, newGrantForm } from '../../../source/store/grants/form.ts';
import { listIds } from '../../../source/store/deck/rows.ts';
import { boxAnswersAfter } from '../../../source/store/deck/screen.ts';
import { App } from '../../../source/view/shell/app.tsx';
import { ConsoleContext } from '../../../source/view/parts/context.ts';
import type { Console } from '../../../source/store/deck/deck.ts';
import type { Foreign } from '../../servers/foreign.ts';
import { type OpenConsole, openConsole } from '../open-deck.ts';
import { boxOf, paste, press, said, type } from '../press-keys.ts';
import { waitFor } from '../../support/wait-for.ts';

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
): Promise<OpenConsole> {
  const open = await openConsole({}, prepare);
  press(open.console, '3');
  return open;
}

/** The form that is up, standing there as if it had been read. */
function readForm(console: Console): GrantForm {
  const { overlay } = console.screen.getState();
  if (overlay?.kind !== 'grant') throw new Error(`no form, but ${JSON.stringify(overlay)}`);
  const form = { ...overlay, shownAt: console.clock.now() - boxAnswersAfter };
  console.screen.setState({ overlay: form });
  return form;
}

const formOf = (console: Console) => waitFor(() => readForm(console));

function fillIn(console: Console, to = dana, limit = '50', until = '30d'): void {
  for (const text of [to, limit, until]) {
    type(console, text);
    press(console, 'enter');
  }
}

const posts = (foreign: Foreign) => foreign.writes().map(({ method }) => method);

test('a grant is made by a, the fields, Tab and Enter, and has the cursor then', async () => {
  await using open = await openGrants((foreign) => give(foreign, 'cosmos1before'));
  const { console, foreign } = open;
  press(console, 'a');
  readForm(console);
  fillIn(console);
  press(console, 'tab', 'enter');
  await said(console, `${dana} may spend up to 50 until`);
  await waitFor(() => {
    const made = [...foreign.grants.values()].find(({ grantee }) => grantee === dana);
    expect(console.screen.getState().cursors.grants.id).toBe(made?.id ?? 'none');
  });
  expect(console.screen.getState().overlay).toBeUndefined();
  press(console, 'a');
  expect(readForm(console).lines.to.text).toBe('');
});

test('an empty list says what makes a grant', async () => {
  await using open = await openGrants();
  const view = render(
    <ConsoleContext.Provider value={open.console}>
      <App />
    </ConsoleContext.Provider>,
  );
  await waitFor(() =>
    expect(view.lastFrame()).toContain('No grants. a lends part of your balance.'),
  );
  view.unmount();
});

test('a cursor that was moved while a grant was made stays there', async () => {
  await using open = await openGrants(async (foreign) => {
    await give(foreign, dana);
    await give(foreign, foreign.otherWallet);
  });
  const { console, foreign } = open;
  press(console, 'a');
  readForm(console);
  fillIn(console);
  foreign.delay(100);
  press(console, 'tab', 'enter', 'j');
  const there = console.screen.getState().cursors.grants.id;
  await waitFor(() => expect(listIds(console, 'grants')).toHaveLength(3));
  foreign.delay(0);
  await console.grants.list.refresh();
  expect(there).toBe(listIds(console, 'grants')[1]);
  expect(console.screen.getState().cursors.grants.id).toBe(there);
});

test('a filter that hides the new grant is cleared', async () => {
  await using open = await openGrants((foreign) => give(foreign, 'cosmos1before'));
  const { console } = open;
  press(console, '/');
  type(console, 'before');
  press(console, 'enter', 'a');
  readForm(console);
  fillIn(console);
  press(console, 'tab', 'enter');
  await waitFor(() => expect(listIds(console, 'grants')).toHaveLength(2));
  await waitFor(() => expect(console.screen.getState().filters.grants).toBe(''));
});

test('a filter that is being typed when the grant is made is not taken away', async () => {
  await using open = await openGrants((foreign) => give(foreign, 'cosmos1before'));
  const { console } = open;
  press(console, 'a');
  readForm(console);
  fillIn(console);
  press(console, 'tab', 'enter', '/');
  type(console, 'before');
  const { rows } = console.grants.list.state.getState();
  await said(console, `${dana} may spend up to 50 until`);
  await waitFor(() => expect(console.grants.list.state.getState().rows).not.toBe(rows));
  // The cursor is set right behind the list.
  await Promise.resolve();
  expect(console.screen.getState().filters.grants).toBe('before');
  press(console, 'x');
  expect(console.screen.getState().filters.grants).toBe('beforex');
});

test('typed ahead of the form, nothing is granted', async () => {
  await using open = await openGrants();
  const { console, foreign } = open;
  press(console, 'a');
  fillIn(console);
  press(console, 'enter', 'tab', 'enter', 'enter');
  expect(console.screen.getState().overlay?.kind).toBe('grant');
  expect(posts(foreign)).toEqual([]);
});

test('the form opens on its field, and Enter on Back sends nothing and keeps what was typed', async () => {
  await using open = await openGrants();
  const { console, foreign } = open;
  press(console, 'a');
  expect(readForm(console).stop).toBe('to');
  fillIn(console);
  expect(readForm(console).stop).toBe('back');
  press(console, 'enter');
  expect(console.screen.getState().overlay).toBeUndefined();
  press(console, 'a');
  expect(readForm(console).lines.limit.text).toBe('50');
  press(console, 'escape', 'a');
  expect(readForm(console).lines.until.text).toBe('30d');
  expect(posts(foreign)).toEqual([]);
});

test('a paste of 10 kB is text in one field and grants nothing', async () => {
  await using open = await openGrants();
  const { console, foreign } = open;
  press(console, 'a');
  readForm(console);
  paste(console, 'x\r\ty\u001b[B\n'.repeat(1300));
  const form = readForm(console);
  expect(form.stop).toBe('to');
  expect(form.lines.to.text).not.toMatch(/\p{Cc}/u);
  expect(posts(foreign)).toEqual([]);
});

test.each([400, 401, 403, 409, 422, 429, 500, 503])(
  'after a refusal with %i the form comes back as it was, on Back',
  async (status) => {
    await using open = await openGrants();
    const { console, foreign } = open;
    press(console, 'a');
    readForm(console);
    fillIn(console);
    foreign.failNext(1, { status, method: 'POST', body: '{"error":"not like this"}' });
    press(console, 'tab', 'enter');
    await said(console, 'Nothing was granted.');
    const form = await formOf(console);
    expect(form.stop).toBe('back');
    expect(form.refused).toContain('It says: not like this');
    expect(Object.values(form.lines).map(({ text }) => text)).toEqual([dana, '50', '30d']);
    expect(posts(foreign)).toEqual(['POST']);
    press(console, 'tab', 'enter');
    await said(console, 'may spend up to 50');
    expect(foreign.grants.size).toBe(1);
  },
);

test('a gateway that lost the answer leaves open whether it was made', async () => {
  await using open = await openGrants();
  const { console, foreign } = open;
  press(console, 'a');
  readForm(console);
  fillIn(console);
  foreign.failNext(1, { status: 502, method: 'POST' });
  press(console, 'tab', 'enter');
  await said(console, 'It may have been made: look at the list before you grant again.');
  expect((await formOf(console)).refused).toContain('It may have been made');
  expect(posts(foreign)).toEqual(['POST']);
});

test('while the answer is awaited, the same form is not opened again', async () => {
  await using open = await openGrants();
  const { console, foreign } = open;
  press(console, 'a');
  readForm(console);
  fillIn(console);
  foreign.delay(300);
  press(console, 'tab', 'enter', 'a');
  await said(console, 'its answer is awaited');
  expect(console.screen.getState().overlay).toBeUndefined();
  await said(console, 'may spend up to 50');
  expect(posts(foreign)).toEqual(['POST']);
});

test('A fills the form like the grant under the cursor, kept apart from that of a', async () => {
  await using open = await openGrants((foreign) => give(foreign, dana));
  const { console, foreign } = open;
  press(console, 'a', '7', 'escape', 'A');
  const form = readForm(console);
  expect(Object.values(form.lines).map(({ text }) => text)).toEqual([dana, '50', '30d']);
  press(console, 'shift+tab', 'enter');
  await said(console, 'may spend up to 50');
  expect([...foreign.grants.values()].map(({ grantee }) => grantee)).toEqual([dana, dana]);
  press(console, 'a');
  expect(readForm(console).lines.to.text).toBe('7');
});

test('A and X of a received grant say why not, and open nothing', async () => {
  await using open = await openGrants((foreign) => give(foreign, foreign.wallet, 'other'));
  const { console, foreign } = open;
  press(console, 'A');
  await said(console, `Only its grantor can make another one like it: ${foreign.otherWallet}.`);
  press(console, 'X');
  await said(console, `Only its grantor can revoke this grant: ${foreign.otherWallet}.`);
  expect(console.screen.getState().overlay).toBeUndefined();
});

test('X revokes once the last four of the address are typed', async () => {
  await using open = await openGrants((foreign) => give(foreign, dana));
  const { console, foreign } = open;
  press(console, 'X');
  const question = await boxOf(console, 'revoke the grant to');
  expect(question.lines.join('\n')).toContain(dana);
  press(console, 'tab', 'enter');
  expect(foreign.grants.size).toBe(1);
  type(console, '9f3c');
  press(console, 'enter');
  await said(console, `Revoked the grant to ${dana}`);
  expect(foreign.grants.size).toBe(0);
  await waitFor(() => expect(listIds(console, 'grants')).toEqual([]));
});

test('a grant that is gone when the box is answered is not asked for', async () => {
  await using open = await openGrants((foreign) => give(foreign, dana));
  const { console, foreign } = open;
  press(console, 'X');
  await boxOf(console, 'revoke the grant to');
  foreign.grants.clear();
  await console.grants.list.refresh();
  type(console, '9f3c');
  press(console, 'tab', 'enter');
  await said(console, 'It is no longer listed. Nothing was sent.');
  expect(posts(foreign)).toEqual(['POST']);
});

test('a revocation that failed, or may have, is said as what it is', async () => {
  await using open = await openGrants((foreign) => give(foreign, dana));
  const { console, foreign } = open;
  for (const [status, sentence] of [
    [503, 'was not revoked.'],
    [502, 'may be revoked: look at the list, X asks again.'],
  ] as const) {
    press(console, 'X');
    await boxOf(console, 'revoke the grant to');
    foreign.failNext(1, { status, method: 'DELETE' });
    type(console, '9f3c');
    press(console, 'tab', 'enter');
    await said(console, sentence);
    press(console, 'escape');
  }
  expect(foreign.grants.size).toBe(1);
});

test('of a grant that could not be revoked here, it is told when it goes all the same', async () => {
  await using open = await openGrants((foreign) => give(foreign, dana));
  const { console, foreign } = open;
  press(console, 'X');
  await boxOf(console, 'revoke the grant to');
  foreign.failNext(1, { status: 403, method: 'DELETE' });
  type(console, '9f3c');
  press(console, 'tab', 'enter');
  await said(console, 'was not revoked.');
  foreign.grants.clear();
  await console.grants.list.refresh();
  await said(console, 'is no longer listed.');
});

test('the form stands in a frame over the list, with whole addresses to choose from', async () => {
  await using open = await openGrants((foreign) => give(foreign, dana));
  const { console } = open;
  press(console, 'a');
  const view = render(
    <ConsoleContext.Provider value={console}>
      <App />
    </ConsoleContext.Provider>,
  );
  const frame = () => view.lastFrame() ?? '';
  type(console, '0x12');
  await waitFor(() => expect(frame()).toContain(`│ > ${dana}`));
  expect(frame()).toContain('test: new grant ─');
  press(console, 'enter');
  type(console, '50');
  await waitFor(() => expect(frame()).toContain('│ Limit   50 '));
  expect(frame()).toContain(`│ To      ${dana}`);
  expect(frame()).toContain('└ Tab Enter next field  Esc leaves, input kept ─');
  view.unmount();
});

test('a form that comes back at once can be read, and answers, like one that was opened', async () => {
  await using open = await openGrants();
  const { console } = open;
  press(console, 'a');
  const view = render(
    <ConsoleContext.Provider value={console}>
      <App />
    </ConsoleContext.Provider>,
  );
  const isShown = () => {
    const { overlay } = console.screen.getState();
    expect(overlay?.kind === 'grant' && Number.isFinite(overlay.shownAt)).toBe(true);
  };
  await waitFor(isShown);
  console.screen.setState({ overlay: comeAgain(newGrantForm(), 'Refused.') });
  await waitFor(isShown);
  view.unmount();
});
