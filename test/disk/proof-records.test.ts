import { readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { createProofRecords } from '../../source/disk/proof-records.ts';
import type { ProofRecord } from '../../source/store/proof/proof-record.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

let state = '';

beforeEach(() => {
  state = temporaryFolder();
});

const record = (
  deploymentId: string,
  at: number,
  more: Partial<ProofRecord> = {},
): ProofRecord => ({
  deploymentId,
  name: deploymentId,
  at,
  changedFrom: at - 5000,
  requestedAt: at,
  files: [{ service: 'web', path: 'config/app.yaml' }],
  verdict: 'worse',
  isJudged: true,
  isUndone: false,
  ...more,
});

it('records of proved restarts outlive the program, for their owner only', async () => {
  const records = createProofRecords(state, 'http://here');
  await records.write(record('shop', 1000));
  await records.write(record('../odd', 2000));
  await records.write(record('shop', 3000, { verdict: 'unclear' }));
  await records.write(record('shop', 1000, { isUndone: true }));
  const later = createProofRecords(state, 'http://here');
  expect(await later.read('shop')).toEqual([
    record('shop', 3000, { verdict: 'unclear' }),
    record('shop', 1000, { isUndone: true }),
  ]);
  expect((await later.read()).map(({ at }) => at)).toEqual([3000, 2000, 1000]);
  expect(await createProofRecords(state, 'http://there').read()).toEqual([]);
  const files = await readdir(path.join(state, 'proofs'), { recursive: true });
  for (const name of files.filter((each) => each.endsWith('.json'))) {
    expect((await stat(path.join(state, 'proofs', name))).mode & 0o777).toBe(0o600);
  }
});

it('the newest ten records of a deployment stay', async () => {
  const records = createProofRecords(state, 'http://here');
  for (let at = 1; at <= 13; at += 1) await records.write(record('shop', at));
  expect((await records.read('shop')).map(({ at }) => at)).toEqual([
    13, 12, 11, 10, 9, 8, 7, 6, 5, 4,
  ]);
});

it('a record that somebody has damaged is ignored', async () => {
  const records = createProofRecords(state, 'http://here');
  await records.write(record('shop', 1000));
  await records.write(record('shop', 2000));
  const [folder = ''] = await readdir(path.join(state, 'proofs'));
  const names = (await readdir(path.join(state, 'proofs', folder))).toSorted();
  const damages = [
    '{',
    JSON.stringify({ ...record('shop', 1000), verdict: 'ok' }),
    JSON.stringify({ ...record('shop', 1000), files: [{ path: 'a' }] }),
  ];
  for (const damage of damages) {
    await writeFile(path.join(state, 'proofs', folder, names[0] ?? ''), damage);
    expect((await records.read('shop')).map(({ at }) => at)).toEqual([2000]);
  }
});

it('an unjudged record is that of its console, until the console has exited', async () => {
  const left = createProofRecords(state, 'http://here', Promise.resolve('4194305-0123456789ab'));
  const before = {
    createdAt: '2026-11-26T12:00:00Z',
    services: [{ name: 'web', restarts: 2, exitCode: null }],
  };
  const unjudged = record('shop', 1000, { isJudged: false, before });
  await left.write(unjudged);
  await left.write(record('shop', 2000));
  const running = createProofRecords(state, 'http://here');
  await running.write(record('ledger', 3000, { isJudged: false }));
  expect(await running.abandoned()).toEqual([unjudged]);
  await running.write(record('shop', 1000));
  expect(await running.abandoned()).toEqual([]);
});

it('a record of an earlier version has its verdict, whatever else it holds', async () => {
  const records = createProofRecords(state, 'http://here');
  await records.write(record('shop', 1000));
  const [folder = ''] = await readdir(path.join(state, 'proofs'));
  const [name = ''] = await readdir(path.join(state, 'proofs', folder));
  const samples = [{ service: 'web', lines: [3, 4], errors: [0, 1] }];
  const earlier = { ...record('shop', 1000), verdict: 'no worse', samples };
  await writeFile(path.join(state, 'proofs', folder, name), JSON.stringify(earlier));
  expect(await records.read('shop')).toEqual([record('shop', 1000, { verdict: 'unchanged' })]);
});
