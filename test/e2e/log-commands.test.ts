import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { labelSentences } from '../../source/store/log/feed/log-source.ts';
import { type Foreign, startForeign } from '../servers/foreign.ts';
import { createDeployment, environmentOf } from './foreign-console.ts';
import { launch } from './harness.ts';
import { Home } from './harness-home.ts';
import { runLine } from './run-line.ts';
import { type ProgramEnd, startProgram } from './run-program.ts';

const program = path.resolve(import.meta.dirname, '../../dist/cli.js');
const home = new Home();
let full: Foreign;
let bare: Foreign;

beforeAll(async () => {
  // Lines of one time would not tell the order of pages.
  let written = 0;
  const now = () => Date.now() + written;
  full = await startForeign({ now });
  bare = await startForeign({ deployments: 'ids', logIds: 'none', services: 'absent', now });
  for (const foreign of [full, bare]) {
    for (let number = 1; number <= 300; number += 1) {
      written += 1;
      foreign.append(foreign.sample, number % 2 === 0 ? 'web' : 'worker', `line ${number}`);
    }
  }
});

afterAll(async () => {
  await Promise.all([full.close(), bare.close()]);
  home.remove();
});

/** Said on stderr about a log without ids. */
const unnumbered = `${labelSentences.unnumbered}\n`;

const on = (foreign: Foreign, line: string, env = {}): Promise<ProgramEnd> =>
  runLine(line.split(' '), { home, env: { ...environmentOf(foreign), ...env } });

/** Returns the texts of lines behind time and service. */
const textsOf = ({ stdout }: ProgramEnd): readonly string[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/^\S+ \S+ {2}/, ''));

const numbered = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`);

describe('logs -n', () => {
  test('ends after the last lines', async () => {
    for (const foreign of [full, bare]) {
      const ended = await on(foreign, `logs ${foreign.sample} -n 3`);
      expect([ended.stderr, ended.code]).toEqual([foreign === bare ? unnumbered : '', 0]);
      expect(textsOf(ended)).toEqual(numbered(298, 300));
    }
  });

  test('all writes the whole log', async () => {
    for (const foreign of [full, bare]) {
      const ended = await on(foreign, `logs ${foreign.sample} -n all`);
      expect([ended.stderr, ended.code]).toEqual([foreign === bare ? unnumbered : '', 0]);
      expect(textsOf(ended).slice(-300)).toEqual(numbered(1, 300));
      expect(textsOf(ended)).toHaveLength(foreign.lines(foreign.sample).length);
    }
  });
});

describe('the deployment of logs', () => {
  test('is found by a beginning of its name or id', async () => {
    for (const name of ['bazaar', 'baz', full.sample.slice(0, 6)]) {
      expect(textsOf(await on(full, `logs ${name} -n 1`))).toEqual(['line 300']);
    }
  });

  test('that is none ends with 3, as an object with --json', async () => {
    const ended = await on(full, 'logs bazzar');
    expect([ended.stdout, ended.code]).toEqual(['', 3]);
    expect(ended.stderr).toMatch(/^error: No deployment on .* Did you mean bazaar\?\n/);
    const json = await on(full, 'logs bazzar --json');
    expect(JSON.parse(json.stderr)).toMatchObject({ error: { code: 'not-found' } });
  });

  test('is taken at its word where the service tells no deployments', async () => {
    const id = '0b5f3c1e-9a1d-4f6e-8f39-1c2d3e4f5a6b-4711';
    full.failNext(2, { status: 403 });
    const ended = await on(full, `logs ${id} -n 1`);
    expect(ended.code).toBe(3);
    expect(full.requests.at(-1)?.path).toMatch(`/${id}/logs`);
    full.failNext(1, { status: 403 });
    expect((await on(full, 'logs bazaar -n 1')).code).toBe(4);
  });

  test('has the services that it tells, another one is named on stderr', async () => {
    const ended = await on(full, 'logs bazaar --service wbe -n 1');
    expect(ended).toEqual({
      stdout: '',
      stderr: 'No service is named wbe. The services are web, worker.\n',
      code: 0,
    });
    expect((await on(full, 'logs bazaar --service wbe -n 1 -q')).stderr).toBe('');
  });
});

test('a full disk is told once', async () => {
  const command = `"$0" "$1" logs bazaar -n 3 > /dev/full`;
  await using session = launch({
    command: ['sh', '-c', command, process.execPath, program],
    env: environmentOf(full),
  });
  expect(await session.exited).toMatchObject({ code: 1 });
  expect(session.screen.match(/write the output/g)).toHaveLength(1);
});

test('--plain prints on a terminal, with escape sequences made visible', async () => {
  full.append(full.sample, 'web', '\u001b[31mred\u001b[0m \u001b]52;c;aGk=\u0007');
  await using session = launch({
    args: ['logs', 'bazaar', '--plain', '--color', 'never'],
    env: environmentOf(full),
    cols: 120,
  });
  await session.waitFor('red ^[]52;c;aGk=^G');
  full.append(full.sample, 'web', 'a live line');
  await session.waitFor('a live line');
  session.press('\u0003');
  expect(await session.exited).toEqual({ code: 130, signal: undefined });
  expect(session.transcript).not.toContain('\u001b');
});

describe('the lines of logs', () => {
  const hour = 3_600_000;
  let began = 0;
  let timed: Foreign;
  const texts = [
    'INFO start',
    'ERROR disk full',
    '  at a frame',
    'warning: slow',
    'GET /pay 200',
    '[SEVERE] broken',
    'done',
  ];

  beforeAll(async () => {
    began = Date.now();
    let age = 10 * hour;
    const clock = () => (age === 0 ? Date.now() : began - age);
    timed = await startForeign({ logIds: 'none', largestLogPage: 200, now: clock });
    // Old lines first, more than a page of them.
    for (let number = 0; number < 900; number += 1) {
      age -= 1;
      timed.append(timed.sample, 'web', `old ${number}`);
    }
    for (const [index, text] of texts.entries()) {
      age = 2 * hour - index * 60_000;
      const isEven = index % 2 === 0;
      timed.append(timed.sample, isEven ? 'web' : 'worker', text, isEven ? 'stdout' : 'stderr');
    }
    age = 0;
  });

  afterAll(() => timed.close());

  const textsOn = async (flags: string, foreign = timed): Promise<readonly string[]> => {
    const ended = await on(foreign, `logs ${foreign.sample} ${flags}`);
    expect([flags, ended.stderr, ended.code]).toEqual([flags, unnumbered, 0]);
    return textsOf(ended);
  };

  test('are those since a time, however many', async () => {
    expect(await textsOn('--since 3h --no-follow')).toEqual(texts);
    expect(await textsOn('--since 3h -n 2')).toEqual(texts.slice(-2));
    const all = await textsOn('--since 11h --no-follow');
    expect(all.slice(-texts.length)).toEqual(texts);
    expect(all.filter((text) => text.startsWith('old'))).toHaveLength(900);
  });

  test('are those before a time, which ends the command', async () => {
    const old = await textsOn('--until 5h');
    expect(old).toEqual(Array.from({ length: 100 }, (_, index) => `old ${800 + index}`));
    // A span would end later the longer this file has run.
    const third = new Date(began - 117.5 * 60_000).toISOString();
    expect(await textsOn(`--since 3h --until ${third}`)).toEqual(texts.slice(0, 3));
  });

  test('match one of the patterns, or none', async () => {
    expect(await textsOn('--grep ^old.899$ --grep SEVERE -n 5')).toEqual(['old 899', texts[5]]);
    expect(await textsOn('--since 3h --grep error|done -v --no-follow')).toEqual([
      texts[0],
      ...texts.slice(2, 6),
    ]);
    expect(await textsOn('--grep ^old.5$ -n 1')).toEqual(['old 5']);
  });

  test('have a level, a service, a stream', async () => {
    expect(await textsOn('--level error -n 10')).toEqual([texts[1], texts[5]]);
    expect(await textsOn('--level warn -n 10')).toEqual([texts[1], texts[3], texts[5]]);
    expect(await textsOn('--service worker -n 2')).toEqual([texts[3], texts[5]]);
    expect(await textsOn('--service worker --service web -n 2')).toEqual(texts.slice(-2));
    expect(await textsOn('--stream STDERR -n 2')).toEqual([texts[3], texts[5]]);
  });

  test('follow what was selected, and are selected themselves', async () => {
    const args = ['logs', timed.sample, '--since', '3h', '--level', 'error'];
    const child = startProgram(args, { home, env: environmentOf(timed) });
    await child.waitFor((stdout) => stdout.includes('broken'));
    timed.append(timed.sample, 'web', 'fine');
    timed.append(timed.sample, 'web', 'ERROR again');
    await child.waitFor((stdout) => stdout.includes('again'));
    child.kill('SIGTERM');
    const ended = await child.ended;
    expect(textsOf(ended)).toEqual([texts[1], texts[5], 'ERROR again']);
    expect(ended.code).toBe(143);
  });

  test('cannot be selected by times that they do not tell', async () => {
    const strings = await startForeign({ logLines: 'strings', logIds: 'none' });
    strings.append(strings.sample, 'web', 'a line');
    const ended = await on(strings, `logs ${strings.sample} --since 1h --no-follow`);
    await strings.close();
    expect([ended.stdout, ended.code]).toEqual(['', 2]);
    expect(ended.stderr).toMatch(/\nerror: The lines of this log tell no times/);
  });

  test('that tell no stream are named where one is wanted', async () => {
    const strings = await startForeign({ logLines: 'strings', logIds: 'none' });
    strings.append(strings.sample, 'web', 'a line');
    const ended = await on(strings, `logs ${strings.sample} --stream stderr -n 5`);
    await strings.close();
    expect(ended).toEqual({
      stdout: '',
      stderr: `${unnumbered}The lines of this log tell no stream; --stream leaves them out.\n`,
      code: 0,
    });
  });

  test.each([
    ['--since tomorrow', '--since must be a time like'],
    ['--since 1m --until 1h', '--since is not before --until'],
    ['--grep (', '--grep must be a regular expression.'],
    ['--level loud', '--level must be error or warn.'],
    ['-f --until 1h', '--follow and --until exclude each other.'],
    ['-f -p', '--follow and --previous exclude each other.'],
    ['-v', '--invert-match needs --grep.'],
  ])('%s is refused', async (flags, sentence) => {
    const ended = await on(timed, `logs bazaar ${flags}`);
    expect([ended.stdout, ended.code]).toEqual(['', 2]);
    expect(ended.stderr).toContain(sentence);
  });
});

describe('several logs', () => {
  let several: Foreign;
  let ledger: string;

  beforeAll(async () => {
    // No two lines have the same time.
    let at = Date.now();
    several = await startForeign({ now: () => (at += 1) });
    await createDeployment(several, 'ledger');
    ledger = [...several.deployments.keys()].find((id) => id !== several.sample) ?? '';
    for (let number = 1; number <= 6; number += 1) {
      several.append(number % 2 === 0 ? ledger : several.sample, 'web', `line ${number}`);
    }
  });

  afterAll(() => several.close());

  test('are one, in the order of their times, each line with its deployment', async () => {
    const ended = await on(several, 'logs bazaar ledger baz -n 3 --timestamps none --grep ^line');
    expect(ended).toEqual({
      stdout: numbered(1, 6)
        .map((text, index) => `${index % 2 === 0 ? 'bazaar' : 'ledger'} web  ${text}\n`)
        .join(''),
      stderr: '',
      code: 0,
    });
    const json = await on(several, 'logs bazaar ledger -n 2 --json');
    const ids = json.stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { readonly deploymentId: string }).deploymentId);
    expect(ids).toEqual([several.sample, ledger, several.sample, ledger]);
  });

  test('are followed, and named in notes', async () => {
    const args = ['logs', 'ledger', 'bazaar', '--color', 'always', '--timestamps', 'none'];
    const child = startProgram(args, { home, env: environmentOf(several) });
    await child.waitFor((stdout) => stdout.includes('line 6'));
    several.append(ledger, 'web', 'live one');
    await child.waitFor((stdout) => stdout.includes('live one'));
    several.append(several.sample, 'worker', 'live two');
    await child.waitFor((stdout) => stdout.includes('live two'));
    several.cutStreams(ledger);
    await child.waitForNote((stderr) => stderr.includes('connected again'));
    child.kill('SIGINT');
    const ended = await child.ended;
    expect(ended.stdout.split('\n').slice(-3)).toEqual([
      '\u001b[36mledger\u001b[39m \u001b[36mweb\u001b[39m  live one',
      '\u001b[35mbazaar\u001b[39m \u001b[36mworker\u001b[39m  live two',
      '',
    ]);
    expect(ended.stderr).toMatch(/^ledger: .*\nledger: The log stream is connected again\.\n$/);
    expect(ended.code).toBe(130);
  });

  test('are not written where one of them is not found', async () => {
    const ended = await on(several, 'logs bazaar nope ledger nil -n 1');
    expect([ended.stdout, ended.code]).toEqual(['', 3]);
    expect(ended.stderr.match(/^error: /gm)).toHaveLength(2);
  });
});

test('the previous run is known where the service tells it', async () => {
  const untold = await on(bare, `logs ${bare.sample} --previous`);
  expect([untold.stdout, untold.code]).toEqual(['', 2]);
  expect(untold.stderr).toMatch(/\nerror: The service does not tell when .* was restarted\./);
  const other = await startForeign({ deployments: 'ids', services: 'absent' });
  other.append(other.sample, 'web', 'before');
  expect((await on(other, `deployments restart ${other.sample} --yes`)).code).toBe(0);
  other.append(other.sample, 'web', 'after');
  const requested = await on(other, `logs ${other.sample} -p -n 1 -o raw`);
  await other.close();
  expect(requested).toEqual({ stdout: 'before\n', stderr: '', code: 0 });
  const foreign = await startForeign();
  foreign.append(foreign.sample, 'web', 'before');
  const restarted = await on(foreign, 'deployments restart bazaar --yes --wait');
  expect(restarted.code).toBe(0);
  foreign.append(foreign.sample, 'web', 'after');
  const ended = await on(foreign, 'logs bazaar -p -n 1 -o raw');
  await foreign.close();
  expect(ended).toEqual({ stdout: 'before\n', stderr: '', code: 0 });
});

test('logs end when the deployment is closed, and know the run before', async () => {
  const own = new Home();
  const first = await runLine(['logs', 'sample', '--previous'], { home: own });
  expect([first.stdout, first.code]).toEqual(['', 2]);
  expect(first.stderr).toMatch(/^error: sample has not been restarted/m);
  await runLine(['deployments', 'restart', 'sample', '--yes', '--wait'], { home: own });
  const flags = ['--stream', 'system', '--service', 'worker', '-o', 'raw'];
  const previous = await runLine(['logs', 'sample', '-p', ...flags], { home: own });
  expect([previous.stdout, previous.code]).toEqual(['started\nstopped\n', 0]);
  const child = startProgram(['logs', 'sample', '-f', '-n', '1'], { home: own });
  await child.waitFor((stdout) => stdout !== '');
  const closed = await runLine(['deployments', 'close', 'sample', '--yes'], { home: own });
  expect(closed.code).toBe(0);
  const ended = await child.ended;
  expect(ended.code).toBe(0);
  const again = await runLine(['logs', 'sample', '-f', '-n', '1'], { home: own });
  expect(again.code).toBe(0);
  expect(again.stdout).toBe(`${ended.stdout.trimEnd().split('\n').at(-1)}\n`);
  own.remove();
});

describe('the forms of logs', () => {
  test('are chosen by -o', async () => {
    const raw = await on(full, 'logs bazaar -n 2 -o raw --grep ^line');
    expect(raw.stdout).toBe('line 299\nline 300\n');
    const logfmt = await on(bare, `logs ${bare.sample} -n 1 -o logfmt --timestamps none`);
    expect(logfmt.stdout).toBe(
      `deployment=${bare.sample} service=web stream=stdout msg="line 300"\n`,
    );
    const [json, flag] = await Promise.all([
      on(full, 'logs bazaar -n 1 -o json'),
      on(full, 'logs bazaar -n 1 --json'),
    ]);
    expect(json).toEqual(flag);
    expect(JSON.parse(json.stdout)).toMatchObject({ type: 'log', deploymentId: full.sample });
  });

  test('tell errors as JSON where lines are', async () => {
    const ended = await on(full, 'logs nope -o json');
    expect(JSON.parse(ended.stderr)).toMatchObject({ error: { code: 'not-found' } });
  });

  test('have colours where they are wanted', async () => {
    const always = await on(full, 'logs bazaar -n 1 --grep ^line --color always');
    expect(always.stdout.replace(/\d{4}-\S+Z/, 'TIME')).toBe(
      '\u001b[2mTIME\u001b[22m \u001b[36mweb\u001b[39m  line 300\n',
    );
    const auto = await on(full, 'logs bazaar -n 1 --grep ^line');
    expect(auto.stdout).not.toContain('\u001b');
  });

  test.each([
    ['-o yaml', '--output must be text, json, logfmt or raw.'],
    ['--json -o raw', '--json and --output raw exclude each other.'],
    ['--json --timestamps utc', '--timestamps leaves JSON as it is.'],
    ['--color red', '--color must be auto, always or never.'],
  ])('%s is refused', async (flags, sentence) => {
    const ended = await on(full, `logs bazaar ${flags}`);
    expect([ended.stdout, ended.code]).toEqual(['', 2]);
    expect(ended.stderr).toContain(sentence);
  });
});
