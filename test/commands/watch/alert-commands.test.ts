import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { AlertCommands } from '../../../source/commands/watch/alert-commands.ts';
import type { FoundCondition } from '../../../source/store/alerts/rule.ts';
import { parseRules } from '../../support/alert-rules.ts';
import { createTestClock } from '../../support/clock.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { waitFor } from '../../support/wait-for.ts';

const address = 'https://api.example.com';
const [rule] = parseRules('when: crash, run: "true"');
if (rule === undefined) throw new Error('There is no rule.');
const alert: FoundCondition = { rule, sentence: 'shop has failed.' };

/** Commands of a test, and what is said about failures. */
function open(env: NodeJS.ProcessEnv = {}) {
  const clock = createTestClock();
  const said: string[] = [];
  const place = { address, clock, env: { PATH: process.env['PATH'], ...env } };
  const commands = new AlertCommands(place, (sentence) => said.push(sentence));
  return { clock, said, commands, file: path.join(temporaryFolder(), 'out') };
}

it('a command gets the values of an alert by its environment, without tokens', async () => {
  const { commands, file } = open({
    HOSTDECK_TOKEN: 'secret',
    HOSTDECK_TOKEN_FILE: 'x',
    HOME: '/me',
  });
  const line = `$(touch ${file}.run); \u001b[31m"'\u0000${'x'.repeat(200_000)}`;
  const deployment = { id: 'd 1', name: '`shop`' };
  commands.run(`env -0 > ${file}.part && mv ${file}.part ${file}`, { ...alert, deployment, line });
  const values = await waitFor(() =>
    Object.fromEntries(
      readFileSync(file, 'utf8')
        .split('\0')
        .map((pair) => pair.split(/=(.*)/s).slice(0, 2)),
    ),
  );
  expect(values).toMatchObject({
    HOME: '/me',
    HOSTDECK_ALERT: 'shop has failed.',
    HOSTDECK_WHEN: 'crash',
    HOSTDECK_DEPLOYMENT: '`shop`',
    HOSTDECK_DEPLOYMENT_ID: 'd 1',
    HOSTDECK_GRANT_ID: '',
    HOSTDECK_LINE: expect.stringMatching(/^\$\(touch .*; \^\[\[31m"'\^@x{3900,4096}$/),
    HOSTDECK_SERVICE_ADDRESS: address,
  });
  expect(Object.keys(values).filter((name) => name.includes('TOKEN'))).toEqual([]);
});

it('a failure is said once, until the command has succeeded again', async () => {
  const { commands, said, clock, file } = open();
  const run = (text: string) => commands.run(text, alert);
  const command = `cat ${file} && touch ${file}.ran || exit 3`;
  run(command);
  await waitFor(() => expect(said).toEqual(['The command of the rule crash failed: exit 3.']));
  // The time limit of a command that has ended ends no other process.
  await clock.advance(60_000);
  run(command);
  run('kill -9 $$');
  await waitFor(() => expect(said[1]).toBe('The command of the rule crash failed: SIGKILL.'));
  writeFileSync(file, '');
  run(command);
  await waitFor(() => readFileSync(`${file}.ran`));
  expect(said).toHaveLength(2);
  rmSync(file);
  await waitFor(() => {
    run(command);
    expect(said.slice(2)).toEqual(['The command of the rule crash failed: exit 3.']);
  });
});

it('a command that hangs is ended with all that it started, and others wait for their turn', async () => {
  const { commands, said, clock, file } = open();
  for (let index = 0; index < 8; index += 1) {
    commands.run(`sleep 1000 & echo $! >> ${file}; wait`, alert);
  }
  commands.run(`echo ran > ${file}.last`, alert);
  const pids = await waitFor(() => {
    const found = readFileSync(file, 'utf8').trim().split('\n').map(Number);
    expect(found).toHaveLength(8);
    return found;
  });
  expect(() => readFileSync(`${file}.last`)).toThrow();
  await clock.advance(60_000);
  await waitFor(() => expect(readFileSync(`${file}.last`, 'utf8')).toBe('ran\n'));
  expect(said).toEqual(['The command of the rule crash was ended after 60 s.']);
  for (const pid of pids) await waitFor(() => expect(() => process.kill(pid, 0)).toThrow());
});
