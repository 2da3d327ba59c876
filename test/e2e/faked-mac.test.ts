import { expect, test } from 'vitest';
import { environmentOfMac } from '../support/faked-mac.ts';
import { launch } from './harness.ts';
import { quit } from './quit.ts';

test('on a pretended macOS the console starts its host, saves a file and restarts the sample', async () => {
  const { PATH = '', NODE_OPTIONS = '' } = environmentOfMac();
  await using session = launch({ env: { PATH, NODE_OPTIONS }, args: ['--restart-delay', '0'] });
  await session.waitFor(/job \d+/);
  session.press('2');
  await session.waitFor('server.js');
  session.press('G', 'e');
  await session.waitFor(/EDIT \S+/);
  session.type('// ');
  await session.waitFor('unsaved');
  session.press('ctrl+s');
  await session.waitFor('sample is restarting.');
  session.press('ctrl+q');
  await session.waitFor('[2 Files sample/web');
  await quit(session);
  expect(await session.exited).toMatchObject({ code: 0 });
});
