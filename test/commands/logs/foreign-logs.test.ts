import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readIncidentFile } from '../../../source/disk/incident-file.ts';
import { labelSentences } from '../../../source/store/log/feed/log-source.ts';
import { type Foreign, type ForeignOptions, startForeign } from '../../servers/foreign.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { waitFor } from '../../support/wait-for.ts';
import { runCommand } from '../run-command.ts';

const minute = 60_000;
const lines = 700;

/** Starts a service whose log has a line a minute, the last one a minute old. */
async function startLogged(options: Partial<ForeignOptions>): Promise<Foreign> {
  const began = Date.now();
  let age = lines + 1;
  const foreign = await startForeign({ ...options, now: () => began - age * minute });
  onTestFinished(() => foreign.close());
  for (let number = 1; number <= lines; number += 1) {
    age -= 1;
    const service = number % 2 === 0 ? 'web' : 'worker';
    foreign.append(foreign.sample, service, `${number % 100 === 0 ? 'ERROR' : 'line'} ${number}`);
  }
  age = 0;
  return foreign;
}

const numbered = (from: number, to: number, step = 1): readonly number[] =>
  Array.from({ length: (to - from) / step + 1 }, (_, index) => from + index * step);

/** Returns numbers as ranges, for a readable difference. */
function rangesOf(numbers: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last?.[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(' ');
}

/** Flags, and the numbers of the lines that they select. */
const selections: readonly (readonly [string, readonly number[]])[] = [
  ['-n all', numbered(1, 700)],
  ['--since 10m30s --no-follow', numbered(691, 700)],
  ['--since 610m30s --until 600m30s', numbered(91, 100)],
  ['--until 650m30s -n 5', numbered(46, 50)],
  ['--level error -n 3', [500, 600, 700]],
  ['--service worker --grep 7$ -n 2', [687, 697]],
];

test.each([
  ['oldest first, ids with holes', {}],
  ['newest first, dense ids', { logOrder: 'newest', logIds: 'dense' }],
  ['newest first, without ids', { logOrder: 'newest', logIds: 'none', largestLogPage: 100 }],
  ['oldest first, without ids', { logIds: 'none', largestLogPage: 150 }],
  [
    'bare ids of deployments, huge ids of lines',
    { deployments: 'ids', services: 'absent', logIds: 'huge', envelope: 'data-items' },
  ],
] as const)('lines are selected on a service with %s', async (_, options) => {
  const foreign = await startLogged(options);
  for (const [flags, numbers] of selections) {
    const argv = ['logs', foreign.sample, ...flags.split(' '), '-o', 'raw'];
    const { stdout, stderr, code } = await runCommand(foreign, argv);
    const found = stdout.split('\n').flatMap((text) => /\d+$/.exec(text)?.[0] ?? []);
    const label =
      'logIds' in options && options.logIds === 'none' ? `${labelSentences.unnumbered}\n` : '';
    expect([flags, code, stderr]).toEqual([flags, 0, label]);
    expect([flags, rangesOf(found.map(Number))]).toEqual([flags, rangesOf(numbers)]);
  }
});

/**
 * Starts a service whose log has 2000 lines of 20 minutes, each second one with a time 2 s too early, thirty
 * with one that is an hour too early, and one that is three days too early. Returns when they began.
 */
async function startDisordered(logOrder: ForeignOptions['logOrder']) {
  const began = Date.now() - 21 * minute;
  let time = began;
  const foreign = await startForeign({
    logOrder,
    logClocks: { worker: -2000 },
    now: () => time,
  });
  onTestFinished(() => foreign.close());
  for (const number of numbered(1, 2000)) {
    const late = number >= 1000 && number < 1030 ? 60 * minute : 0;
    time = began + number * 600 - (number === 1500 ? 3 * 24 * 60 * minute : late);
    foreign.append(foreign.sample, number % 2 === 0 ? 'web' : 'worker', `line ${number}`);
  }
  time = Date.now();
  return { foreign, began };
}

/** Minutes from when a log began. */
const ranges: readonly { readonly since?: number; readonly until?: number }[] = [
  { since: 10 },
  { since: -90 },
  { since: -55, until: -45 },
  { since: 5, until: 15 },
  { until: 8 },
];

test.each(['oldest', 'newest'] as const)(
  'lines are selected by their own times where clocks differ and lines come late: %s first',
  async (logOrder) => {
    const { foreign, began } = await startDisordered(logOrder);
    const cwd = temporaryFolder();
    for (const range of ranges) {
      const flags = Object.entries(range).flatMap(([flag, at]) => [
        `--${flag}`,
        new Date(began + at * minute).toISOString(),
      ]);
      const { since = -Infinity, until = Infinity } = range;
      const wanted = foreign.lines(foreign.sample).filter(({ timestamp = '' }) => {
        const at = (Date.parse(timestamp) - began) / minute;
        return at >= since && at < until;
      });
      const logs = ['logs', foreign.sample, '-n', 'all', '--no-follow', '-o', 'raw', ...flags];
      const { stdout, stderr, code } = await runCommand(foreign, logs);
      expect([range, code, stderr]).toEqual([range, 0, '']);
      expect(stdout).toBe(wanted.map(({ logLine }) => `${logLine}\n`).join(''));
      if (range !== ranges[0]) continue;
      const incident = ['incident', foreign.sample, '-o', 'a.gz', ...flags];
      expect(await runCommand(foreign, incident, { cwd })).toMatchObject({ code: 0 });
      const read = await readIncidentFile(path.join(cwd, 'a.gz'));
      expect(read.ok && read.value.lines.map(({ logLine }) => logLine)).toEqual(
        wanted.map(({ logLine }) => logLine),
      );
    }
  },
);

test.each(['single', 'binary'] as const)(
  'a log of %s frames is followed past every close, until the deployment is closed',
  async (logFrames) => {
    const foreign = await startForeign({ logFrames });
    onTestFinished(() => foreign.close());
    const { sample } = foreign;
    let written = '';
    let number = 0;
    const append = (): void => void foreign.append(sample, 'web', `line ${(number += 1)}`);
    const isWritten = () => waitFor(() => expect(written).toContain(`line ${number}\n`));
    append();
    const running = runCommand(foreign, ['logs', sample, '-f', '-o', 'raw', '--grep', 'line'], {
      onOutput: (text) => void (written += text),
    });
    await isWritten();
    for (const code of [1000, undefined, 1001, 4404, 'lost'] as const) {
      append();
      await isWritten();
      if (code === 'lost') foreign.cutStreams();
      else foreign.closeStreams(code);
      await waitFor(() => expect(foreign.streams()).toBe(0));
      append();
      await isWritten();
    }
    const deployment = foreign.deployments.get(sample);
    if (deployment !== undefined) deployment.status = 'terminated';
    append();
    foreign.closeStreams(1000);
    const { stdout, stderr, code } = await running;
    expect(stdout).toBe(
      numbered(1, number)
        .map((one) => `line ${one}\n`)
        .join(''),
    );
    expect(stderr).toContain(`The service ended the log stream of ${sample}, which is not closed.`);
    expect(stderr).not.toContain("can't be read");
    expect(code).toBe(0);
  },
);

test('messages that nobody can read are told once on stderr', async () => {
  const foreign = await startForeign({ chatter: 'unreadable' });
  onTestFinished(() => foreign.close());
  let written = '';
  const abort = new AbortController();
  const running = runCommand(foreign, ['logs', foreign.sample, '-f', '-o', 'raw', '-n', '0'], {
    signal: abort.signal,
    onOutput: (text) => void (written += text),
  });
  await waitFor(() => expect(foreign.streams()).toBe(1));
  for (const number of numbered(1, 20)) foreign.append(foreign.sample, 'web', `line ${number}`);
  await waitFor(() => expect(written).toContain('line 20\n'));
  abort.abort();
  const { stderr } = await running;
  expect(stderr.match(/can't be read/g)).toHaveLength(1);
});
