import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Foreign, startForeign } from '../servers/foreign.ts';
import { environmentOf } from './foreign-console.ts';
import { launch } from './harness.ts';
import { Home } from './harness-home.ts';
import { runLine } from './run-line.ts';
import { type ProgramEnd, runProgram } from './run-program.ts';

const home = new Home();
let foreign: Foreign;

const dana = `0x${'12ab'.repeat(10)}`;
const erik = `0x${'34cd'.repeat(10)}`;

beforeAll(async () => {
  foreign = await startForeign();
});

beforeEach(() => {
  foreign.grants.clear();
});

afterAll(async () => {
  await foreign.close();
  home.remove();
});

const wallet = () => ({ HOSTDECK_WALLET: foreign.wallet });
const run = (line: string, env: Readonly<Record<string, string>> = wallet()): Promise<ProgramEnd> =>
  runLine(line.split(' '), { home, env: { ...environmentOf(foreign), ...env } });

/** Adds a grant to the service. */
function addGrant(id: string, grantor: string, grantee: string): void {
  foreign.grants.set(id, {
    id,
    grantor,
    grantee,
    limit: 50,
    spent: 12.5,
    expiresAt: new Date(Date.now() + 20 * 86_400_000).toISOString(),
    createdAt: new Date().toISOString(),
  });
}

describe('grants list', () => {
  test('writes given and received grants as lines, or as JSON with state and direction', async () => {
    addGrant('g-given', foreign.wallet, dana);
    addGrant('g-got', erik, foreign.wallet);
    const { stdout, stderr, code } = await run('grants list');
    expect([stderr, code]).toEqual(['', 0]);
    const rows = stdout.trimEnd().split('\n');
    const cells = rows.map((row) => row.split('\t').filter((_, at) => at !== 5));
    expect(cells).toEqual([
      [dana, 'given', '50', '12.5', 'active', 'g-given'],
      [erik, 'received', '50', '12.5', 'active', 'g-got'],
    ]);
    const json = await run('grants list --json --fields id,state,direction,limit');
    expect(JSON.parse(json.stdout)).toEqual([
      { id: 'g-given', state: 'active', direction: 'given', limit: 50 },
      { id: 'g-got', state: 'active', direction: 'received', limit: 50 },
    ]);
    expect((await run('grants list -q')).stdout).toBe('g-given\ng-got\n');
  });

  test('tells both wallets where the caller is unknown', async () => {
    addGrant('g-given', foreign.wallet, dana);
    const { stdout } = await run('grants list', {});
    expect(stdout).toMatch(new RegExp(`^${foreign.wallet}>${dana}\tunknown\t`));
  });
});

describe('grants create', () => {
  test('creates a grant with exactly the typed digits, and prints it', async () => {
    const flags = `--grantee ${dana} --limit 0.1 --expires 30d`;
    const { stdout, stderr, code } = await run(`grants create ${flags} --yes --json`);
    expect([stderr, code]).toEqual(['', 0]);
    const made = JSON.parse(stdout) as { id: string };
    expect(made).toMatchObject({ grantee: dana, limit: 0.1, state: 'active', direction: 'given' });
    expect([...foreign.grants.keys()]).toEqual([made.id]);
  });

  test('asks, so that without a terminal it needs --yes; --dry-run sends nothing', async () => {
    const flags = `--grantee ${dana} --limit 5 --expires 2w`;
    const unasked = await run(`grants create ${flags}`);
    expect([unasked.code, unasked.stderr]).toEqual([
      2,
      'error: Create the grant? There is no terminal to ask on.\nConfirm with --yes.\n',
    ]);
    const dry = await run(`grants create ${flags} --dry-run`);
    expect(dry.stdout).toMatch(`Would let ${dana} spend up to 5 until `);
    const json = await run(`grants create ${flags} --dry-run --json`);
    expect(JSON.parse(json.stdout)).toMatchObject({
      result: 'would be created',
      grantee: dana,
      limit: 5,
    });
    expect(foreign.grants.size).toBe(0);
  });

  test.each([
    ['--limit 5 --expires 2w', 'hostdeck grants create needs --grantee.'],
    ['--grantee 0x12 --limit 5 --expires 2w', '--grantee: 40 hexadecimal digits'],
    ['--grantee x1 --limit 1,5 --expires 2w', '--limit: Use a point for decimals: 1.5.'],
    ['--grantee x1 --limit 0 --expires 2w', '--limit: Must be above 0.'],
    ['--grantee x1 --limit 5 --expires 2020-01-01', "--expires: In the past: the service's clock"],
    ['--grantee x1 --limit 5 --expires soon', '--expires: Try 30d'],
  ])('refuses %s as the form does', async (flags, message) => {
    const { stderr, code } = await run(`grants create ${flags} --yes`);
    expect(stderr).toContain(`error: ${message}`);
    expect([code, foreign.grants.size]).toEqual([2, 0]);
  });

  test('asks on the terminal with the whole address', async () => {
    const args = `grants create --grantee ${dana} --limit 7 --expires 30d`.split(' ');
    const env = { ...environmentOf(foreign), ...wallet() };
    await using session = launch({ home, args, env });
    await session.waitFor('Create the grant? [y/N]');
    expect(session.screen).toContain(`${dana} may spend up to 7 from your balance`);
    session.type('y\r');
    expect(await session.exited).toEqual({ code: 0, signal: undefined });
    expect(session.screen).toMatch(/LIMIT +7\n/);
    expect([...foreign.grants.values()]).toMatchObject([{ grantee: dana, limit: 7 }]);
  });
});

describe('grants revoke', () => {
  test('revokes grants by whole ids, each told', async () => {
    addGrant('g-1', foreign.wallet, dana);
    addGrant('g-2', foreign.wallet, erik);
    addGrant('g-3', foreign.wallet, erik);
    const { stdout, code } = await run('grants revoke g-1 g-2 --yes --json');
    expect([JSON.parse(stdout), code]).toEqual([
      [
        { id: 'g-1', grantee: dana, result: 'revoked' },
        { id: 'g-2', grantee: erik, result: 'revoked' },
      ],
      0,
    ]);
    expect([...foreign.grants.keys()]).toEqual(['g-3']);
  });

  test('takes a beginning for a question alone', async () => {
    addGrant('g-1', foreign.wallet, dana);
    const refused = await run('grants revoke g- --yes');
    expect([refused.code, refused.stderr]).toEqual([
      2,
      `error: g- is only the beginning of an id.\nWith --yes, or without a terminal, give the whole id:\n  g-1  to ${dana}\n`,
    ]);
    const dry = await run('grants revoke g- --dry-run');
    expect(dry.stdout).toBe(`Would revoke the grant g-1 to ${dana}.\n`);
    const env = { ...environmentOf(foreign), ...wallet() };
    await using session = launch({ home, args: ['grants', 'revoke', 'g-'], env });
    await session.waitFor('Type 12ab to confirm:');
    expect(session.screen).toContain(dana);
    session.type('12ab\r');
    expect((await session.exited).code).toBe(0);
    expect(session.screen).toContain(`Revoked the grant to ${dana}.`);
    expect(foreign.grants.size).toBe(0);
  });

  test('ends with 4 for a grant that was received, said by us or by the service', async () => {
    addGrant('g-got', erik, foreign.wallet);
    const ours = await run('grants revoke g-got --yes');
    expect([ours.code, ours.stderr]).toEqual([
      4,
      `error: Grant g-got: Only its grantor can revoke this grant: ${erik}.\nNothing was sent.\n`,
    ]);
    const theirs = await run('grants revoke g-got --yes', {});
    expect(theirs.code).toBe(4);
    expect(theirs.stderr).toContain('only the grantor may revoke');
    expect(foreign.grants.size).toBe(1);
  });

  test('ends with 3 for an unknown id, before anything is sent', async () => {
    addGrant('g-1', foreign.wallet, dana);
    expect((await run('grants revoke g-1 nope --yes')).code).toBe(3);
    expect(foreign.grants.size).toBe(1);
  });
});

test('the local host answers each of them', async () => {
  const on = (line: string) => runProgram(line.split(' '), { home });
  const flags = `--grantee ${dana} --limit 12.000000000000000001 --expires 12h`;
  const made = await on(`grants create ${flags} --yes -q`);
  expect([made.stderr, made.code]).toEqual(['', 0]);
  const id = made.stdout.trim();
  const listed = await on('grants list --json --fields id,limit');
  expect(listed.stdout).toContain(`{"id":"${id}","limit":12.000000000000000001}`);
  expect((await on(`grants revoke ${id} --yes`)).code).toBe(0);
  expect((await on(`grants revoke ${id} --yes`)).code).toBe(5);
}, 30_000);
