import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Foreign } from '../servers/foreign.ts';
import { enterUntil } from './edit-console.ts';
import { launchOnForeign, openOnForeign, pressUntil } from './foreign-console.ts';

const count = 400;
const odd = [
  'carriage\rreturn',
  '\x1b[32mgreen\x1b[0m',
  'größe 🙂 \u202e',
  '',
  '\t tab ',
  '{"a":[1,{"b":"deep"}]}',
];

interface Recorded {
  readonly timestamp: string;
  readonly service_name: string;
  readonly log_line: string;
}

/** Returns the log as the service has recorded it. */
async function recordOf(foreign: Foreign): Promise<readonly Recorded[]> {
  const url = `${foreign.baseUrl}/api/v1/deployments/${foreign.sample}/logs?limit=500`;
  const answer = await fetch(url, { headers: { authorization: `Bearer ${foreign.token}` } });
  return (await answer.json()) as readonly Recorded[];
}

async function onLog(start = openOnForeign) {
  const deck = await start({
    prepare(foreign) {
      for (let line = 1; line <= count; line += 1) {
        const text = odd[line % 50] ?? `line ${line}`;
        foreign.append(foreign.sample, line % 3 === 0 ? 'worker' : 'web', text);
      }
      foreign.append(foreign.sample, 'web', 'newest');
    },
  });
  const folder = path.join(deck.session.home.folder, 'taken');
  mkdirSync(folder);
  await deck.session.waitFor(/newest\n/);
  return { ...deck, folder };
}

type OnLog = Awaited<ReturnType<typeof onLog>>;

async function save({ session }: OnLog, file: string): Promise<void> {
  session.press('S');
  await session.waitFor('.jsonl as JSON');
  session.press('ctrl+u');
  session.type(file);
  await session.waitFor(path.basename(file));
  await enterUntil(session, (now) => !now.screen.includes('.jsonl as JSON'));
}

test('S writes the recorded lines byte for byte, readable by their owner only', async () => {
  await using deck = await onLog();
  const { session, foreign, folder } = deck;
  const record = await recordOf(foreign);
  expect(record.length).toBeGreaterThan(count);
  await save(deck, `${folder}/all.log`);
  await session.waitFor(`Saved ${record.length} lines, `);
  const wanted = record.map((line) => `${line.timestamp} ${line.service_name}  ${line.log_line}\n`);
  expect(readFileSync(`${folder}/all.log`, 'utf8')).toBe(wanted.join(''));
  expect(statSync(`${folder}/all.log`).mode & 0o777).toBe(0o600);
  await save(deck, `${folder}/all.jsonl`);
  await session.waitFor(`Saved ${record.length} lines as JSON`);
  const lines = readFileSync(`${folder}/all.jsonl`, 'utf8').trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { logLine: string }).logLine)).toEqual(
    record.map((line) => line.log_line),
  );
  expect(readdirSync(folder).sort()).toEqual(['all.jsonl', 'all.log']);
});

test('v selects the lines that S writes, and a file is replaced only after a confirmation', async () => {
  await using deck = await onLog();
  const { session, folder } = deck;
  session.press('v', 'k', 'k');
  await session.waitFor('3 lines selected');
  await session.waitFor(/\n>.*\n\|.*\n\|.*newest\n/);
  writeFileSync(`${folder}/few.log`, 'mine');
  await save(deck, `${folder}/few.log`);
  await session.waitFor('replace this file?');
  session.press('escape');
  await session.waitFor((now) => !now.screen.includes('replace this file?'));
  expect(readFileSync(`${folder}/few.log`, 'utf8')).toBe('mine');
  await save(deck, `${folder}/few.log`);
  await session.waitFor('replace this file?');
  session.press('tab');
  await pressUntil(session, 'enter', (now) => now.screen.includes('Saved 3 lines'));
  expect(readFileSync(`${folder}/few.log`, 'utf8').split('\n')).toHaveLength(4);
  session.press('escape');
  await session.waitFor((now) => !/^\|/m.test(now.screen));
});

test('a failed export shows its reason and leaves no file', async () => {
  await using deck = await onLog();
  const { session, folder } = deck;
  await save(deck, `${folder}/none/all.log`);
  await session.waitFor(/the folder does not\s+exist\. Nothing was saved\./);
  expect(existsSync(`${folder}/none`)).toBe(false);
  expect(readdirSync(folder)).toEqual([]);
  await session.waitFor(/ as: \S*\/taken\/none\/all\.log/);
  session.press(...Array.from({ length: 'none/all.log'.length }, () => 'backspace'));
  session.type('all.log');
  await session.waitFor(/ as: \S*\/taken\/all\.log/);
  await enterUntil(session, (now) => now.screen.includes('Saved '));
  expect(readdirSync(folder)).toEqual(['all.log']);
});

test('a path that is typed over the default of an export replaces it', async () => {
  await using deck = await onLog();
  const { session, folder } = deck;
  session.press('S');
  await session.waitFor(/ as: \.\/bazaar-\d{8}-\d{4}\.log/);
  session.type(`${folder}/typed.log`);
  await session.waitFor(/ as: \/\S*\/typed\.log/);
  await enterUntil(session, (now) => now.screen.includes('Saved '));
  expect(readdirSync(folder)).toEqual(['typed.log']);
});

test('P prints the selection on the screen of the shell, and Enter returns', async () => {
  await using deck = await onLog(launchOnForeign);
  const { session } = deck;
  session.press('v', 'k', 'P');
  await session.waitFor('Press Enter to continue');
  expect(session.screen).toMatch(/^\S+Z (web|worker) {2}.*\n\S+Z web {2}newest\n\nPress/m);
  expect(session.screen).not.toContain('[4 Logs');
  session.press('enter');
  await session.waitFor('2 lines selected');
});

test('Enter shows a whole line with its JSON, and Esc returns to the log', async () => {
  await using deck = await onLog();
  const { session, foreign } = deck;
  foreign.append(foreign.sample, 'web', 'pay {"user":{"name":"dana"},"ok":false}');
  await session.waitFor('pay {');
  session.press('space', 'enter');
  await session.waitFor('"name": "dana"');
  expect(session.screen).toMatch(/service {5}web/);
  session.press('escape');
  await session.waitFor(/^>.*pay \{/m);
});
