import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { readIncidentFile } from '../../../source/disk/incident-file.ts';
import { createProofRecords } from '../../../source/disk/proof-records.ts';
import { createRestartTimes } from '../../../source/disk/restart-times.ts';
import { createTrashFolder } from '../../../source/disk/trash-folder.ts';
import type { Incident } from '../../../source/store/incident/incident.ts';
import { type Foreign, startForeign } from '../../servers/foreign.ts';
import {
  bareCarriers,
  documentCarriers,
  issuedSecrets,
  namedCarriers,
  plainPasswords,
} from '../../store/incident/planted-secrets.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { type CommandRun, runCommand } from '../run-command.ts';

let foreign: Foreign;
let cwd = '';
let state = '';

beforeAll(async () => {
  foreign = await startForeign({ content: 'raw' });
});

beforeEach(() => {
  [cwd, state] = [temporaryFolder(), temporaryFolder()];
});

afterAll(() => foreign.close());

const run = (line: string, more: CommandRun = {}) =>
  runCommand(foreign, line.split(' '), { cwd, state, ...more });

async function readIncident(name: string): Promise<Incident> {
  const read = await readIncidentFile(path.join(cwd, name));
  if (!read.ok) throw new Error(read.problem.sentence);
  return read.value;
}

/** Leaves an earlier version of a file in the trash, as a save does. */
async function edit(
  file: string,
  before: string,
  age = 1000,
  reason: 'saved' | 'moved' = 'saved',
): Promise<void> {
  await createTrashFolder(state, 'foreign').put({
    deploymentId: foreign.sample,
    service: 'web',
    path: file,
    reason,
    ...(reason === 'moved' && { movedTo: 'elsewhere' }),
    bytes: Buffer.from(before),
    at: Date.now() - age,
  });
}

describe('hostdeck incident', () => {
  test('writes lines, edits and restarts into a file for its owner', async () => {
    foreign.append(foreign.sample, 'web', 'GET / 500');
    await edit('config/app.yaml', 'server:\n  port: 80\n');
    await createRestartTimes(state, 'foreign').add(foreign.sample, 1_700_000_000_000);
    await createRestartTimes(state, 'foreign').add(foreign.sample, 1_700_000_900_000);
    const proofs = createProofRecords(state, 'foreign');
    const proof = { deploymentId: foreign.sample, name: 'bazaar', files: [], isUndone: false };
    const times = { changedFrom: 0, requestedAt: 0 };
    await proofs.write({
      ...proof,
      ...times,
      at: 1_700_000_001_000,
      verdict: 'worse',
      isJudged: true,
    });
    await proofs.write({
      ...proof,
      ...times,
      at: 1_700_000_901_000,
      verdict: 'unclear',
      isJudged: false,
    });
    const { stdout, stderr, code } = await run('incident bazaar --output a.gz --json');
    expect(code).toBe(0);
    const { facts, lines, diffs } = await readIncident('a.gz');
    expect(JSON.parse(stdout)).toMatchObject({
      file: path.join(cwd, 'a.gz'),
      lines: lines.length,
      edits: 1,
      missing: stderr.trim().split('\n'),
    });
    expect(statSync(path.join(cwd, 'a.gz')).mode & 0o777).toBe(0o600);
    expect(lines.at(-1)).toMatchObject({ serviceName: 'web', logLine: 'GET / 500' });
    expect(diffs).toEqual([
      {
        service: 'web',
        path: 'config/app.yaml',
        text: '--- config/app.yaml\n+++ config/app.yaml\n@@ -1,2 +1,2 @@\n server:\n-  port: 80\n+  port: 8080\n',
      },
    ]);
    expect(facts.events.map(({ text }) => text)).toEqual(
      expect.arrayContaining([
        'A restart of bazaar was requested. The run after it was judged worse.',
        'A restart of bazaar was requested.',
        'web config/app.yaml was saved.',
      ]),
    );
    expect(facts).toMatchObject({
      hostdeck: '0',
      baseUrl: foreign.baseUrl,
      deploymentName: 'bazaar',
      deployment: { id: foreign.sample, name: 'bazaar' },
    });
  });

  test('compares each edited file with its version after the span', async () => {
    await edit('config/app.yaml', 'first\n', 3_600_000);
    await edit('config/app.yaml', 'second\n', 1_800_000);
    await edit('config/app.yaml', 'third\n', 60_000);
    await edit('gone.txt', 'was here\n', 1_900_000);
    await edit('moved.txt', '', 1_800_000, 'moved');
    await edit('moved.txt', 'much later\n', 60_000);
    expect(await run('incident bazaar --since 45m --until 10m --output f.gz')).toMatchObject({
      code: 0,
    });
    const { diffs } = await readIncident('f.gz');
    expect(diffs.map(({ path: name, text }) => [name, text.split('\n').slice(3)])).toEqual([
      ['gone.txt', ['-was here', '']],
      ['config/app.yaml', ['-second', '+third', '']],
    ]);
  });

  test('holds none of the secrets that are planted in lines, edits and the definition', async () => {
    const [password = '', issued = '', inFile = '', inSdl = ''] =
      fc.sample(fc.tuple(plainPasswords, issuedSecrets, plainPasswords, plainPasswords), 1)[0] ??
      [];
    const passwords = fc.sample(plainPasswords, namedCarriers.length + documentCarriers.length);
    const keys = fc.sample(issuedSecrets, bareCarriers.length);
    const planted = [password, issued, inFile, inSdl, ...passwords, ...keys, foreign.token];
    namedCarriers.forEach((carry, at) => {
      foreign.append(foreign.sample, 'web', carry(passwords[at] ?? password));
    });
    bareCarriers.forEach((carry, at) => {
      foreign.append(foreign.sample, 'worker', carry(keys[at] ?? issued));
    });
    for (const secret of planted) foreign.append(foreign.sample, 'web', `again ${secret} here`);
    const documents = documentCarriers
      .map((carry, at) => carry(passwords[namedCarriers.length + at] ?? password))
      .join('\n');
    await edit('README.md', `${documents}\nsecret: ${inFile}\n`);
    foreign.put(foreign.sample, 'web', 'README.md', `was ${inFile}, token: ${issued}\n`);
    foreign.answerWith(`/api/v1/deployments/${foreign.sample}`, {
      id: foreign.sample,
      name: 'bazaar',
      note: `see ${password}`,
      services: [{ name: 'web' }],
      sdl: `services:\n  web:\n    image: x\n    env:\n      - DB_PASSWORD=${inSdl}\n`,
    });
    foreign.append(foreign.sample, 'web', `admin_password=${password} and ${inSdl}`);
    try {
      expect(await run('incident bazaar -o b.gz -q')).toMatchObject({ code: 0 });
    } finally {
      foreign.answerWith(`/api/v1/deployments/${foreign.sample}`, undefined);
    }
    const content = gunzipSync(readFileSync(path.join(cwd, 'b.gz'))).toString();
    expect(planted.filter((secret) => content.includes(secret))).toEqual([]);
    const incident = await readIncident('b.gz');
    expect(incident.facts.masked.secrets).toBeGreaterThan(30);
    expect(incident.lines.at(-1)?.logLine).toMatch(/^admin_password=\[secret .* and \[secret /);
  });

  test('counts with --dry-run what would be masked, and writes nothing', async () => {
    const { stdout, code } = await run('incident bazaar --dry-run');
    expect(code).toBe(0);
    expect(stdout).toMatch(/(?:1 secret|\d+ secrets) in (?:1 place|\d+ places)\b/);
    expect(readdirSync(cwd)).toEqual([]);
  });

  test('asks before it replaces a file, and needs --output', async () => {
    writeFileSync(path.join(cwd, 'c.gz'), 'mine');
    const kept = await run('incident bazaar -o c.gz', { answers: ['n'] });
    expect(kept.asked).toContain('c.gz?');
    expect(kept.code).not.toBe(0);
    expect(readFileSync(path.join(cwd, 'c.gz'), 'utf8')).toBe('mine');
    expect((await run('incident bazaar -o c.gz -q', { answers: ['y'] })).code).toBe(0);
    expect((await readIncident('c.gz')).facts.deploymentName).toBe('bazaar');
    await expect(run('incident bazaar')).rejects.toThrow('--output FILE is required.');
  });

  test('says which files it could not read, and which have no earlier version', async () => {
    foreign.answerWith(`/api/v1/deployments/${foreign.sample}/services/web/files`, {
      detail: 'no list today',
    });
    try {
      const { stderr, code } = await run('incident bazaar -o d.gz');
      expect(code).toBe(0);
      expect(stderr).toContain('The files of web were not read: ');
    } finally {
      foreign.answerWith(`/api/v1/deployments/${foreign.sample}/services/web/files`, undefined);
    }
    const { stderr } = await run('incident nothing -o e.gz');
    expect(stderr).toContain('nothing');
  });
});
