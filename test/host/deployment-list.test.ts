import { DatabaseSync } from 'node:sqlite';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { DeploymentSummary } from '../../source/host/supervisor/deployment-status.ts';
import { deploy, errorIn, fieldOf, readDeployment } from './support/bodies.ts';
import { fillClosed } from './support/closed-deployments.ts';
import { sharedHost } from './support/shared-host.ts';
import { type Caller, idle, sdlOf } from './support/temporary-host.ts';
import { waitFor } from '../support/wait-for.ts';

type ListQuery = Readonly<Record<string, string | number>>;

async function list(caller: Caller, query: ListQuery = {}) {
  const answer = await caller.call('listDeployments', { query });
  return {
    rows: fieldOf(answer, 'deployments') as readonly DeploymentSummary[],
    total: fieldOf(answer, 'total'),
    bytes: Buffer.byteLength(JSON.stringify(answer.body)),
  };
}

const idsOf = (rows: readonly DeploymentSummary[]) => rows.map(({ id }) => id);

describe('a list of deployments', () => {
  const service = sharedHost();
  const owner = service.as('0xowner');
  const sdl = sdlOf({ web: { ...idle, amount: 3_000_000 }, job: { ...idle, amount: 500_000 } });

  it('has no definitions but the price of an hour; a deployment has both', async () => {
    const { id } = await deploy(owner, sdl);
    const { rows, total } = await list(owner);
    expect(total).toBe(1);
    expect(rows).toMatchObject([{ id, services: [{ name: 'web' }, { name: 'job' }] }]);
    expect(rows[0]).not.toHaveProperty('sdl');
    // 3.5 units a block of 6 s.
    expect(rows[0]?.pricePerHour).toBe(2100);
    expect(await readDeployment(owner, id)).toMatchObject({ sdl, pricePerHour: 2100 });
  });

  it('has open deployments first, newest first, then those that were closed last', async () => {
    const caller = service.as('0xorder');
    const ids: string[] = [];
    for (let index = 0; index < 5; index += 1) ids.push((await deploy(caller, sdl)).id);
    const [first = '', second = '', third = '', fourth = '', fifth = ''] = ids;
    for (const id of [fourth, first, third]) await caller.call('closeDeployment', { id });
    const { rows, total } = await list(caller);
    expect(idsOf(rows)).toEqual([fifth, second, third, first, fourth]);
    expect(rows.map(({ state }) => state === 'closed')).toEqual([false, false, true, true, true]);
    expect(total).toBe(5);
    for (let limit = 1; limit <= 6; limit += 1) {
      for (let offset = 0; offset <= 6; offset += 1) {
        const page = await list(caller, { limit, offset });
        expect(idsOf(page.rows)).toEqual(idsOf(rows).slice(offset, offset + limit));
        expect(page.total).toBe(5);
      }
    }
  });

  it('of a state has its deployments only, and their total', async () => {
    const caller = service.as('0xstates');
    const kept = await deploy(caller, sdl);
    const closed = await deploy(caller, sdl);
    await caller.call('closeDeployment', { id: closed.id });
    await waitFor(async () => expect((await list(caller, { state: 'active' })).total).toBe(1));
    expect(idsOf((await list(caller, { state: 'active' })).rows)).toEqual([kept.id]);
    expect(idsOf((await list(caller, { state: 'closed' })).rows)).toEqual([closed.id]);
    expect(await list(caller, { state: 'suspended' })).toMatchObject({ rows: [], total: 0 });
  });

  it('shows a closed deployment without instances at once, and each change of an open one', async () => {
    const caller = service.as('0xchanges');
    const { id } = await deploy(caller, sdl);
    await waitFor(async () => expect((await list(caller)).rows[0]?.state).toBe('active'));
    await caller.call('closeDeployment', { id });
    const [row] = (await list(caller)).rows;
    expect(row).toMatchObject({ id, state: 'closed', closedAt: expect.any(String) });
    expect(row?.services).toMatchObject([
      { name: 'web', state: 'closed', instances: 1, running: 0, ports: [] },
      { name: 'job', state: 'closed', instances: 1, running: 0, ports: [] },
    ]);
  });

  it.each([
    ['limit', 0, 'a whole number, 1 to 1000'],
    ['limit', 1001, 'a whole number, 1 to 1000'],
    ['limit', 'ten', 'a whole number, 1 to 1000'],
    ['offset', -1, 'a whole number, 0 to 9007199254740991'],
    ['offset', '1e3', 'a whole number, 0 to 9007199254740991'],
    ['state', 'open', 'one of starting, active, restarting, failed, node lost, suspended, closed'],
  ])('refuses %s=%s', async (name, value, expected) => {
    const answer = await owner.call('listDeployments', { query: { [name]: value } });
    expect(errorIn(answer)).toMatchObject({
      status: 422,
      code: 'invalid',
      message: `${name}: expected ${expected}.`,
      details: [{ field: name, expected }],
    });
  });

  it('refuses a parameter that is given twice', async () => {
    const url = new URL('/api/v1/deployments?state=active&state=closed', service.host.baseUrl);
    const answer = await fetch(url, { headers: { authorization: `Bearer ${owner.token}` } });
    expect(answer.status).toBe(422);
  });
});

describe('a wallet with 5,000 closed deployments among 200 wallets', () => {
  const service = sharedHost();
  const owner = service.as('0xmany');
  // The longest variables that a program can start with.
  const largeVariables = Array.from(
    { length: 9 },
    (_, index) => `LARGE${index}=${'x'.repeat(100_000)}`,
  );
  const large = sdlOf({ web: { ...idle, env: largeVariables } });
  const small = sdlOf({ web: idle, api: idle });
  let open: string;

  beforeAll(async () => {
    const { dataDir } = service;
    await service.host.close();
    const database = new DatabaseSync(path.join(dataDir, 'host.db'));
    for (let wallet = 0; wallet < 200; wallet += 1) fillClosed(database, `0x${wallet}`, [small]);
    const sdls = Array.from({ length: 5000 }, (_, index) => (index % 100 === 0 ? large : small));
    fillClosed(database, '0xmany', sdls);
    database.close();
    await service.again();
    ({ id: open } = await deploy(owner, large));
  });

  it('gets all open and the last closed ones, 1,000 in all, below 1 MB', async () => {
    const { rows, total, bytes } = await list(owner);
    expect(rows).toHaveLength(1000);
    expect(total).toBe(5001);
    expect(rows[0]?.id).toBe(open);
    expect(rows.slice(1).map(({ name }) => name)).toEqual(
      Array.from({ length: 999 }, (_, index) => `closed ${4999 - index}`),
    );
    expect(bytes).toBeLessThan(1_000_000);
  });

  it('gets the others by offset, each once', async () => {
    const seen = new Set<string>();
    for (let offset = 0; ; ) {
      const { rows, total } = await list(owner, { offset, limit: 700 });
      expect(total).toBe(5001);
      if (rows.length === 0) break;
      for (const { id } of rows) seen.add(id);
      offset += rows.length;
    }
    expect(seen.size).toBe(5001);
  });

  it('gets the definition of any of them', async () => {
    const [row] = (await list(owner, { offset: 5000 })).rows;
    expect(row?.name).toBe('closed 0');
    expect((await readDeployment(owner, row?.id ?? '')).sdl).toBe(large);
  });

  it('gets fewer than 1,000 where their services and warnings are long, below 1 MB', async () => {
    const caller = service.as('0xlong');
    await service.host.close();
    const database = new DatabaseSync(path.join(service.dataDir, 'host.db'));
    const services = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`service-${index}`, idle]),
    );
    fillClosed(
      database,
      '0xlong',
      Array.from({ length: 1000 }, () => sdlOf(services)),
    );
    database.close();
    await service.again();
    const { rows, total, bytes } = await list(caller);
    expect(total).toBe(1000);
    expect(bytes).toBeLessThan(1_000_000);
    expect(rows.length).toBeGreaterThan(100);
    const rest = await list(caller, { offset: rows.length });
    expect(rest.rows[0]?.name).toBe(`closed ${999 - rows.length}`);
  });
});
