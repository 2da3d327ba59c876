import { expect, test } from 'vitest';
import { openOnForeign } from './foreign-console.ts';
import { bundledProgram } from '../support/bundled-program.ts';
import { launch } from './harness.ts';

const guarded = await bundledProgram('test/fixtures/guarded-app.ts');

test('answers still on their way when it leaves are not typed into the shell', async () => {
  const afterwards = 'echo over; read line; echo "typed $line."';
  await using session = launch({
    command: ['sh', '-c', `"${process.execPath}" "${guarded}"; ${afterwards}`],
    answerDelay: 200,
  });
  await session.waitFor('ready');
  session.press('l');
  await session.waitFor('over');
  const answers = session.terminal.events.filter(({ kind }) => kind === 'answer');
  expect(answers.length).toBeGreaterThan(2);
  session.type('ls\r');
  await session.waitFor('typed ls.');
  expect(session.screen).not.toContain('^[');
});

test('keys typed before the program reads them arrive, Enter as Enter', async () => {
  await using started = await openOnForeign();
  const { session } = started;
  session.type('1/nothing-like-this\r?');
  await session.waitFor('Help: Deployments');
  session.press('escape');
  await session.waitFor('/nothing-like-this');
});
