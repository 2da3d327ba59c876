import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, type TestContext } from 'vitest';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { waitFor } from '../support/wait-for.ts';
import { createDeployment, launchOnForeign, pressUntil } from './foreign-console.ts';
import { launch } from './harness.ts';
import { Transcript } from './transcript.ts';
import { startTwoServices } from './two-services.ts';

/** An editor that adds a line to the file. */
function appendingEditor(line: string, context: TestContext): string {
  const program = path.join(temporaryFolder(context), 'editor.sh');
  writeFileSync(program, `echo "EDITING"; echo "${line}" >> "$1"\n`);
  return `sh ${program}`;
}

/** Starts the console for a screen reader on a foreign service, and hears its first row. */
async function listen(options: Parameters<typeof launchOnForeign>[0] = {}) {
  const deck = await launchOnForeign({ args: ['--screen-reader'], ...options });
  const transcript = new Transcript(deck.session);
  await transcript.hear('hostdeck, ');
  await transcript.hear('bazaar, running');
  return { ...deck, transcript, [Symbol.asyncDispose]: () => deck[Symbol.asyncDispose]() };
}

test.concurrent.each([
  ['true', {}],
  ['1', { TERM: 'dumb' }],
])('INK_SCREEN_READER=%s writes lines, whatever the terminal is', async (value, env) => {
  const deck = await listen({ args: [], env: { INK_SCREEN_READER: value, ...env } });
  await using _ = deck;
  const { session, foreign, transcript } = deck;
  await transcript.press(['4'], '4 Logs bazaar', 'Following');
  foreign.append(foreign.sample, 'web', 'listening on 8080');
  await transcript.hear('web: listening on 8080');
  expect(session.terminal.modes.alternateScreen).toBe(false);
  transcript.expectAppendOnly();
});

test.concurrent('a walk: open, read the log, edit, cancel and send the restart, close; nothing is ever erased', async (context) => {
  const deck = await listen({ env: { EDITOR: appendingEditor('a line of its own', context) } });
  await using _ = deck;
  const { session, foreign, transcript } = deck;
  const sent = (action: string) =>
    foreign.requests.filter(({ path: one }) => one.endsWith(`/${action}`)).length;

  await transcript.press(['enter'], '4 Logs bazaar', 'Following');
  foreign.append(foreign.sample, 'web', 'GET / 200');
  await transcript.hear('web: GET / 200');
  foreign.append(foreign.sample, 'web', 'ERROR no such table');
  await transcript.hear('web: ERROR no such table');
  await transcript.press(['k'], 'web: GET / 200, ', 'Paused.');
  await transcript.press(['/'], 'Enter keep', '/');
  session.type('ERROR');
  await transcript.hear('ERROR');
  await transcript.press(['enter'], 'web: ERROR no such table, ', 'match 1 of 1');
  await transcript.press(['G'], 'Following, last line: web: ERROR');

  await transcript.press(['2'], '2 Files bazaar/web');
  await transcript.press(['G'], 'README.md');
  await transcript.press(['e'], 'EDITING', 'README.md is not saved', '1 Keep draft', '2 Save');
  const isAnswered = (text: string) => () => transcript.rest.includes(text);
  await pressUntil(session, '2', isAnswered('Saved README.md'));
  await transcript.hear('bazaar restarts in 5s. ^R changes that.');
  await transcript.press(['ctrl+r'], 'pending restarts', '1 Resume countdown', "3 Don't restart");
  await pressUntil(session, '3', isAnswered('Restart of bazaar cancelled.'));
  await transcript.hear('Restart of bazaar cancelled. 1 change unapplied');
  expect(sent('restart')).toBe(0);
  expect(foreign.stored(foreign.sample, 'web', 'README.md')?.toString()).toContain('of its own');

  await transcript.press(['ctrl+r'], 'pending restarts', '1 Cancel', '2 Restart now');
  await pressUntil(session, '2', isAnswered('bazaar is restarting.'));
  await transcript.hear('bazaar is restarting.');
  expect(sent('restart')).toBe(1);

  session.resize(40, 12);
  await transcript.press(['1'], '1 Deployments', 'bazaar, ');
  await transcript.press(['X'], 'close bazaar?', 'Type bazaar, then Tab to Close');
  session.type('bazaar');
  await transcript.hear('bazaar');
  await transcript.press(['tab'], 'Close');
  await pressUntil(session, 'enter', () => sent('close') === 1);
  await transcript.press(['q'], 'q again quits.');
  await pressUntil(session, 'q', isAnswered('Leaving hostdeck.'));
  expect(await session.exited).toMatchObject({ code: 0 });
  transcript.expectAppendOnly();
});

test.concurrent('a busy log is counted, and nothing is written while nothing happens, whatever the clock and the polls do', async () => {
  const deck = await listen();
  await using _ = deck;
  const { foreign, session, transcript } = deck;
  await transcript.press(['4'], '4 Logs bazaar', 'Following');
  const before = session.transcript.length;
  const text = 'x'.repeat(60);
  for (let number = 1; number <= 2000; number += 1) {
    foreign.append(foreign.sample, 'web', `${text} ${number}`);
  }
  await transcript.hear(`Last: web: ${text} 2000`);
  // A hundredth of the lines that came.
  expect(session.transcript.length - before).toBeLessThan(20 * text.length);
  const quiet = session.transcript;
  const polls = () =>
    foreign.requests.filter(({ path: one }) => /\/deployments(?:\?|$)/.test(one)).length;
  const first = polls();
  await waitFor(() => {
    if (polls() < first + 2) throw new Error('no further poll yet');
  });
  expect(session.transcript).toBe(quiet);
});

test.concurrent('a picker is a question; a digit chooses its item, elsewhere it is a key', async () => {
  const deck = await listen();
  await using _ = deck;
  const { session, transcript } = deck;
  await transcript.press(['2'], '2 Files bazaar/web');
  await transcript.press(['s'], 'A digit chooses', '1 web', '2 worker', 'Find: ');
  await transcript.press(['2'], '2 Files bazaar/worker');
  // Changes behind an open box are said when it closes, in place of where one is.
  await transcript.press(['4'], '4 Logs bazaar', 'Following');
  await transcript.press(['ctrl+p'], 'Command: ');
  session.type('2');
  await transcript.hear('2');
  await transcript.press(['escape'], '4 Logs bazaar');
  transcript.expectAppendOnly();
});

test.concurrent('typed text is echoed, and its result said in a pause; a key without effect repeats the row', async () => {
  const deck = await listen({
    prepare: async (foreign) => {
      for (const name of ['pay-1', 'pay-2']) await createDeployment(foreign, name);
    },
  });
  await using _ = deck;
  const { session, transcript } = deck;
  await transcript.press(['/'], 'Filter. Enter keep', 'Filter: ');
  session.type('pay');
  await transcript.hear('pay');
  await transcript.hear('2 rows. pay-1, ');
  await transcript.press(['backspace'], 'Filter: pa');
  await transcript.press(['down'], 'pay-2, ');
  await transcript.press(['enter'], 'pay-2, ');
  await transcript.press(['j'], 'pay-2, ');
  await transcript.press(['k'], 'pay-1, ');
  await transcript.press(['ctrl+l'], '1 Deployments 2/3 /pa', 'pay-1, ');
  transcript.expectAppendOnly();
});

test.concurrent('a service that goes away and comes back is said once each; hostile text writes no sequence; a terminal that vanishes ends it', async () => {
  const deck = await listen();
  await using _ = deck;
  const { foreign, session, transcript } = deck;
  await foreign.away();
  await transcript.hear('OFFLINE. ');
  await foreign.back();
  await transcript.press(['f5'], 'The service answers again.');
  expect(session.transcript.split('OFFLINE.')).toHaveLength(2);
  await transcript.press(['4'], '4 Logs bazaar', 'Following');
  foreign.append(foreign.sample, 'web', 'a\x1b[2Jb\x1b]52;c;eA==\x07c\rd\x08e\u009b5n');
  await transcript.hear('d');
  foreign.append(foreign.sample, 'web', '\x1b[31mred\x1b[0m end');
  await transcript.hear('red end');
  transcript.expectAppendOnly();
  session.vanish();
  expect(await session.exited).toMatchObject({ code: 129 });
  expect(session.survivors()).toEqual([]);
});

test.concurrent('a rejected token and a wrong profile are said in lines, too', async () => {
  await using deck = await launchOnForeign({
    args: ['--screen-reader'],
    env: { HOSTDECK_TOKEN: 'wrong' },
  });
  const transcript = new Transcript(deck.session);
  await transcript.hear('The service rejected the token (401).');
  transcript.expectAppendOnly();
  await using failed = await launchOnForeign({ args: ['--screen-reader', '--profile', 'none'] });
  expect(await failed.session.exited).toMatchObject({ code: 1 });
  new Transcript(failed.session).expectAppendOnly();
});

test.concurrent('a chatty log is a line a second', async () => {
  const deck = await listen({ service: { lineEvery: 100 } });
  await using _ = deck;
  const { session, transcript } = deck;
  await transcript.press(['4'], '4 Logs bazaar', 'Following', 'Last: ');
  const before = session.transcript.length;
  for (let second = 0; second < 8; second += 1) await transcript.hear('Last: ');
  const written = session.transcript.slice(before);
  // Drawn, eight seconds of such a log took 88 kB.
  expect(written.length).toBeLessThan(2000);
  expect(written.split('\n').length).toBeLessThan(20);
  transcript.expectAppendOnly();
});

test.concurrent('another service is heard after a switch, read-only where its profile is', async () => {
  await using services = await startTwoServices('readOnly: true');
  const { home } = services;
  await using session = launch({ home, args: ['--screen-reader', '--profile', 'blue'] });
  const transcript = new Transcript(session);
  await transcript.hear('hostdeck, blue');
  await transcript.hear('1 of 2');
  await transcript.press([':'], 'Command: ');
  session.type('profile\r');
  await transcript.hear('switch to. A digit chooses');
  await transcript.hear('1 blue');
  await transcript.press(['2'], 'hostdeck, prod', 'This connection is read-only.');
  await transcript.press(['X'], 'PROD is read-only.');
  transcript.expectAppendOnly();
});
