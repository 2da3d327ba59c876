import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { longLine, realLog, realLogs } from '../support/real-logs.ts';
import type { Foreign } from '../servers/foreign.ts';
import { enterUntil } from './edit-console.ts';
import { type ForeignConsole, openOnForeign } from './foreign-console.ts';

const limit = 400;

interface Recorded {
  readonly id: number;
  readonly timestamp: string;
  readonly service_name: string;
  readonly log_line: string;
}

/** Returns the log as the service has recorded it. */
async function recordOf(foreign: Foreign): Promise<readonly Recorded[]> {
  const url = `${foreign.baseUrl}/api/v1/deployments/${foreign.sample}/logs?limit=${limit}`;
  const answer = await fetch(url, { headers: { authorization: `Bearer ${foreign.token}` } });
  return (await answer.json()) as readonly Recorded[];
}

async function showing(lines: readonly string[]) {
  const deck = await openOnForeign({
    cols: 160,
    args: ['logs', 'bazaar'],
    prepare(foreign) {
      for (const line of lines) foreign.append(foreign.sample, 'worker', line);
      foreign.append(foreign.sample, 'web', 'the newest');
    },
  });
  const folder = path.join(deck.session.home.folder, 'taken');
  mkdirSync(folder);
  await deck.session.waitFor(/the newest\n/);
  return { ...deck, folder };
}

async function save({ session }: ForeignConsole, file: string): Promise<void> {
  session.press('S');
  await session.waitFor(/^Save .* as: /m);
  session.press('ctrl+u');
  session.type(file);
  await session.waitFor(path.basename(file));
  await enterUntil(session, (now) => !/^Save .* as: /m.test(now.screen));
}

test.each([
  ['formats', realLogs.flatMap(({ lines }) => lines)],
  ['mebibyte', ['before it', longLine, 'behind it']],
])('S downloads real lines byte by byte, as text and as JSON: %s', async (name, lines) => {
  await using deck = await showing(lines);
  const { session, foreign, folder } = deck;
  const record = await recordOf(foreign);
  expect(record.map((line) => line.log_line)).toEqual(expect.arrayContaining([...lines]));
  await save(deck, `${folder}/${name}.log`);
  await session.waitFor(new RegExp(`Saved ${record.length} lines, `));
  const wanted = record.map((line) => `${line.timestamp} ${line.service_name}  ${line.log_line}\n`);
  const bytes = readFileSync(`${folder}/${name}.log`);
  expect(bytes.equals(Buffer.from(wanted.join('')))).toBe(true);
  await save(deck, `${folder}/${name}.jsonl`);
  await session.waitFor(`Saved ${record.length} lines as JSON`);
  const saved = readFileSync(`${folder}/${name}.jsonl`, 'utf8').trimEnd().split('\n');
  const messages = saved.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(
    messages.map(({ id, timestamp, serviceName, logLine }) => [
      id,
      timestamp,
      serviceName,
      logLine,
    ]),
  ).toEqual(record.map((line) => [line.id, line.timestamp, line.service_name, line.log_line]));
});

test('y copies the text of a line, Y adds its time and service, with all codes and CR', async () => {
  const [ansi = ''] = realLog('ansi');
  const [bar = ''] = realLog('progress');
  await using deck = await showing([ansi, bar]);
  const { session, foreign } = deck;
  const record = await recordOf(foreign);
  const [recordedAnsi, recordedBar] = record.slice(-3);
  expect([recordedAnsi?.log_line, recordedBar?.log_line]).toEqual([ansi, bar]);
  const whole = (line: Recorded | undefined) =>
    `${line?.timestamp} ${line?.service_name}  ${line?.log_line}`;
  const copied = () =>
    session.terminal.events.filter(({ kind }) => kind === 'clipboard').map(({ text }) => text);
  session.press('space', 'k', 'y');
  await session.waitFor(() => copied().length === 1);
  session.press('Y');
  await session.waitFor(() => copied().length === 2);
  session.press('k', 'y');
  await session.waitFor(() => copied().length === 3);
  session.press('Y');
  await session.waitFor(() => copied().length === 4);
  expect(copied()).toEqual([bar, whole(recordedBar), ansi, whole(recordedAnsi)]);
});
