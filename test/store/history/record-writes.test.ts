import { describe, expect, onTestFinished, test } from 'vitest';
import type { Client } from '../../../source/client/client.ts';
import { createClient } from '../../../source/client/client.ts';
import { type OperationName, operations } from '../../../source/contract/routes.ts';
import { recordDeploymentWrites } from '../../../source/store/deployments/recorded.ts';
import { recordFileWrites } from '../../../source/store/files/recorded.ts';
import { recordGrantWrites } from '../../../source/store/grants/recorded.ts';
import { createWriteRecorder } from '../../../source/store/history/record-writes.ts';
import {
  createHistory,
  type HistoryEntry,
  type WriteEntry,
} from '../../../source/store/history/history.ts';
import { ask, everyOperation, isWrite } from '../../client/every-operation.ts';
import { type Foreign, startForeign } from '../../servers/foreign.ts';
import { type Meddling, startMeddlingProxy } from '../../servers/meddling-proxy.ts';

interface Recorded {
  readonly foreign: Foreign;
  readonly client: Client;
  readonly entries: () => readonly HistoryEntry[];
}

/** A client whose writes are noted, on a service whose answers to writes are meddled with. */
async function recorded(meddling: Meddling): Promise<Recorded> {
  const foreign = await startForeign({ pathForm: 'segments' });
  const proxy = await startMeddlingProxy(foreign.baseUrl);
  proxy.meddle = ({ method }) => (method === 'GET' ? 'pass' : meddling);
  const plain = createClient({ baseUrl: proxy.baseUrl, token: foreign.token });
  onTestFinished(async () => {
    await plain.close();
    await proxy.close();
    await foreign.close();
  });
  const clock = { now: () => Date.now(), after: () => () => {} };
  const history = createHistory({ clock });
  const record = createWriteRecorder(history);
  const nameOf = (id: string) => (id === foreign.sample ? 'bazaar' : id);
  const client: Client = {
    ...plain,
    deployments: recordDeploymentWrites(plain.deployments, record, nameOf),
    files: recordFileWrites(plain.files, record, nameOf),
    grants: recordGrantWrites(plain.grants, record, () => '0xother'),
  };
  return { foreign, client, entries: () => history.entries.getState() };
}

/** Prepares the service so that the operation succeeds; returns the id that it acts on. */
async function subjectOf(operation: OperationName, { foreign }: Recorded): Promise<string> {
  if (operation !== 'revokeGrant') {
    foreign.put(foreign.sample, 'web', 'app.yaml', 'before');
    return foreign.sample;
  }
  const client = createClient({ baseUrl: foreign.baseUrl, token: foreign.token });
  const made = await client.grants.create({
    grantee: foreign.otherWallet,
    limit: '1',
    expires_at: '2100-01-01T00:00:00.000Z',
  });
  await client.close();
  if (!made.ok) throw new Error(made.error.sentence);
  return made.value.value.id;
}

const names = Object.keys(operations) as OperationName[];
const writes = names.filter(isWrite);

const sdl = 'name: stall\nservices:\n  web: {}\n';

async function leaves(operation: OperationName, meddling: Meddling): Promise<WriteEntry> {
  const open = await recorded(meddling);
  const subject = await subjectOf(operation, open);
  if (operation === 'createDeployment') await open.client.deployments.create(sdl);
  else await ask(open.client, operation, subject);
  const entries = open.entries();
  expect(entries).toHaveLength(1);
  const [entry] = entries;
  if (entry?.kind !== 'write') throw new Error('no write is noted');
  expect(entry).toMatchObject({ operation: operations[operation].title });
  expect(entry.took).toBeGreaterThanOrEqual(0);
  expect(entry.request).toMatch(`${operations[operation].method} /api/v1/`);
  expect(JSON.stringify(entry)).not.toContain(open.foreign.token);
  return entry;
}

describe.each(writes)('%s', (operation) => {
  test('adds one entry with the final status', async () => {
    const { outcome } = await leaves(operation, 'pass');
    expect(outcome.kind).toBe('done');
    expect([200, 201, 202, 204]).toContain('status' in outcome ? outcome.status : undefined);
  });

  test('adds one entry with the 503 of a refusal', async () => {
    const { outcome } = await leaves(operation, { status: 503 });
    expect(outcome).toMatchObject({ kind: 'failed', status: 503 });
  });

  test('adds one entry with an unknown outcome when the connection is cut after sending', async () => {
    const { outcome } = await leaves(operation, 'drop when the service has answered');
    expect(outcome).toMatchObject({ kind: 'unknown', code: 'disconnected' });
  });
});

test('reads are not recorded', async () => {
  const open = await recorded('pass');
  const reads = everyOperation.filter((one) => !isWrite(one) && one !== 'streamLogs');
  for (const operation of reads) await ask(open.client, operation, open.foreign.sample);
  expect(open.entries()).toEqual([]);
});

test('an entry has the subject and size of a write, but none of its content', async () => {
  const { foreign, client, entries } = await recorded('pass');
  const { files, deployments } = client;
  await files.update(foreign.sample, 'web', 'config/app.yaml', 'secret: hunter2\n');
  await files.rename(foreign.sample, 'web', 'README.md', 'docs/README.md');
  const bytes = Buffer.from('hunter2');
  const parts = ['a', 'b'].map((path) => ({ path, source: { bytes } }));
  await files.upload(foreign.sample, 'web', parts);
  await deployments.create(sdl);
  expect(entries()).toMatchObject([
    { subject: 'bazaar/web config/app.yaml', size: 16 },
    { subject: 'bazaar/web README.md to docs/README.md', size: undefined },
    { subject: 'bazaar/web 2 files', size: 14 },
    { subject: expect.stringMatching(/^stall /), size: 32 },
  ]);
  expect(JSON.stringify(entries())).not.toContain('hunter2');
});

test('a revocation names the grant and its grantee', async () => {
  const { foreign, client, entries } = await recorded('pass');
  await client.grants.revoke('g-1');
  expect(entries()).toMatchObject([{ operation: 'revoke grant', subject: 'g-1 to 0xother' }]);
  expect(foreign.writes()).toHaveLength(1);
});

test('a refusal keeps the error message of the service', async () => {
  const { foreign, client, entries } = await recorded('pass');
  foreign.failNext(1, { status: 409, method: 'POST' });
  await client.deployments.restart(foreign.sample);
  expect(entries()).toMatchObject([
    { outcome: { kind: 'failed', status: 409, said: 'injected failure' } },
  ]);
});

test('a name that no URL can address is recorded as not sent', async () => {
  const { foreign, client, entries } = await recorded('pass');
  await client.files.delete(foreign.sample, 'web', '../x');
  expect(entries()).toMatchObject([
    { request: expect.stringContaining(':path'), outcome: { kind: 'failed', code: 'local' } },
  ]);
});
