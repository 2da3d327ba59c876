import { once } from 'node:events';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, it } from 'vitest';
import { parseDecimal } from '../../source/contract/decimal.ts';
import { deploy, fieldOf, readDeployment, readLines } from './support/bodies.ts';
import { storeDefinitionsInRows } from './support/earlier-records.ts';
import { HostFolder, pidsIn, serving } from './support/host-folder.ts';
import { ManualClock } from './support/manual-clock.ts';
import {
  type Caller,
  idle,
  nodeService,
  sdlOf,
  type TemporaryHost,
  temporaryHost,
} from './support/temporary-host.ts';
import { waitFor } from '../support/wait-for.ts';
import { waitUntilActive } from './support/wait-until-active.ts';

/** Price of one credit a second for an instance, in micro-units per block. */
const perSecond = 6_000_000;

const unit = 10n ** 18n;

describe('a deployment', () => {
  const clock = new ManualClock();
  let service: TemporaryHost | undefined;
  afterEach(() => service?.remove());

  /** Starts a host and returns a caller with this balance. */
  async function callerWith(balance: string): Promise<Caller> {
    // Sandboxes would change the process ids.
    service = await temporaryHost({ clock, sandbox: 'off' });
    service.host.balance('0xpayer', balance);
    return service.as('0xpayer');
  }
  const balance = () => service?.host.balance('0xpayer');

  it('that never started costs nothing', async () => {
    const caller = await callerWith('100');
    const web = { command: ['no-such-command-anywhere'], amount: perSecond };
    const { id } = await deploy(caller, sdlOf({ web }));
    for (const seconds of [1, 2, 4]) {
      await waitFor(async () =>
        expect((await readLines(caller, id)).at(-1)).toBe(`starts again in ${seconds} s`),
      );
      clock.advance(seconds * 1000);
    }
    await caller.call('closeDeployment', { id });
    expect(balance()).toBe('100');
  });

  it('costs nothing while it waits after a crash, nor after its close', async () => {
    const caller = await callerWith('100');
    const crashing = nodeService(
      'process.on("SIGUSR2", () => process.exit(7)); console.log("pid", process.pid); setInterval(() => {}, 1e3)',
    );
    const { id } = await deploy(caller, sdlOf({ web: { ...crashing, amount: perSecond } }));
    const last = async () => (await readLines(caller, id)).at(-1);
    const [pid = 0] = await pidsIn(caller, id, 1);
    clock.advance(2500);
    process.kill(pid, 'SIGUSR2');
    await waitFor(async () => expect(await last()).toBe('starts again in 1 s'));
    expect(balance()).toBe('97.5');
    clock.advance(999);
    expect(balance()).toBe('97.5');
    clock.advance(1);
    await pidsIn(caller, id, 2);
    clock.advance(1000);
    await caller.call('closeDeployment', { id });
    clock.advance(60_000);
    expect(balance()).toBe('96.5');
  });

  it('costs what its running instances cost, each by the price of its service', async () => {
    const caller = await callerWith('100');
    const services = {
      web: { ...idle, amount: perSecond, count: 2 },
      api: { ...idle, amount: perSecond / 4 },
      gone: { command: ['no-such-command-anywhere'], amount: perSecond * 10 },
    };
    const { id } = await deploy(caller, sdlOf(services));
    await waitFor(async () => {
      const states = (await readDeployment(caller, id)).services.map(({ running }) => running);
      expect(states).toEqual([2, 1, 0]);
    });
    const before = Number(balance());
    clock.advance(4000);
    expect(before - Number(balance())).toBe(9);
  });

  it('that is suspended resumes within 2 s of a balance or a grant, and costs nothing before', async () => {
    const caller = await callerWith('2');
    const { id } = await deploy(caller, sdlOf({ web: { ...idle, amount: perSecond } }));
    const state = async () => (await readDeployment(caller, id)).state;
    await waitUntilActive(caller, id);
    clock.advance(2000);
    expect([await state(), balance()]).toEqual(['active', '0']);
    clock.advance(1000);
    expect(await state()).toBe('suspended');
    await waitFor(async () => expect((await readLines(caller, id)).at(-1)).toBe('stopped'));
    clock.advance(600_000);
    service?.host.balance('0xpayer', '5');
    clock.advance(2000);
    await waitFor(async () => expect(await state()).toBe('active'));
    // The second that was owed is paid with the next charge.
    clock.advance(1000);
    expect(balance()).toBe('3');
    service?.host.balance('0xpayer', '0');
    clock.advance(1000);
    expect(await state()).toBe('suspended');
    const grantor = service?.as('0xgrantor');
    const expires_at = new Date(clock.now() + 60_000).toISOString();
    await grantor?.call('createGrant', { json: { grantee: '0xpayer', limit: 5, expires_at } });
    clock.advance(2000);
    await waitFor(async () => expect(await state()).toBe('active'));
  });

  it('does not run next to others that use up what pays for all', async () => {
    const caller = await callerWith('0.01');
    // Alone, each could be paid for 4 s.
    const sdl = sdlOf({ web: { ...idle, amount: perSecond / 400 } });
    const states: (string | undefined)[] = [];
    for (let number = 0; number < 20; number += 1) states.push((await deploy(caller, sdl)).state);
    expect(states.filter((state) => state !== 'suspended')).toHaveLength(4);
    expect(states.slice(4)).toEqual(Array(16).fill('suspended'));
    clock.advance(60_000);
    const listed = fieldOf(await caller.call('listDeployments'), 'deployments');
    const now = (listed as readonly { readonly state: string }[]).map(({ state }) => state);
    expect(now.filter((state) => state !== 'suspended').length).toBeLessThanOrEqual(4);
    expect(parseDecimal(balance() ?? '')).toBeGreaterThanOrEqual(0n);
  });
});

describe('the records after a killed host', () => {
  const folder = HostFolder.ofEachTest();

  it('have the run that went on without it, charged until the next host found it', async () => {
    const child = folder.run(serving);
    const caller = await folder.caller();
    const program = 'console.log("pid", process.pid); setInterval(() => {}, 1e3)';
    const web = { ...nodeService(program), amount: perSecond };
    const { id } = await deploy(caller, sdlOf({ web }));
    const [pid = 0] = await pidsIn(caller, id, 1);
    const startedAt = Date.parse((await readDeployment(caller, id)).services[0]?.startedAt ?? '');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const killedAt = Date.now();
    // The process runs on while no host is there.
    await waitFor(() => expect(Date.now() - killedAt).toBeGreaterThan(1500), { timeout: 5000 });
    process.kill(pid, 0);
    const host = await folder.start({ graceMs: 100 });
    const foundBy = Date.now();
    await (await folder.caller()).call('closeDeployment', { id });
    await host.close();

    const database = new DatabaseSync(path.join(folder.dataDir, 'host.db'));
    const runs = database
      .prepare('select * from charged_runs where deployment = ? order by number')
      .all(id);
    const account = database
      .prepare('select paid, owed, carry from deployments where id = ?')
      .get(id);
    database.close();
    expect(runs.every((run) => run['is_over'] === 1)).toBe(true);
    const beganAt = Number(runs[0]?.['began_at']);
    const endedAt = beganAt + Number(runs[0]?.['ran_ms']);
    expect(beganAt).toBeGreaterThanOrEqual(startedAt);
    expect(beganAt).toBeLessThanOrEqual(killedAt);
    expect(endedAt).toBeGreaterThan(killedAt + 1500);
    expect(endedAt).toBeLessThanOrEqual(foundBy);
    const ranMs = runs.reduce((sum, run) => sum + Number(run['ran_ms']), 0);
    const billed = (parseDecimal(String(account?.['paid'])) ?? 0n) * 6000n;
    expect(account?.['owed']).toBe('0');
    expect(billed + BigInt(String(account?.['carry']))).toBe(BigInt(ranMs) * 6n * unit);
  });
});

describe('a data folder of the version before', () => {
  const folder = HostFolder.ofEachTest();
  const clock = new ManualClock();

  it('keeps its accounts, and goes on with them', async () => {
    const first = await folder.start({ clock });
    const caller = await folder.caller();
    const { id } = await deploy(caller, sdlOf({ web: { ...idle, amount: '0.000000000007' } }));
    await waitUntilActive(caller, id);
    clock.advance(1234);
    await first.close();
    const database = new DatabaseSync(path.join(folder.dataDir, 'host.db'));
    storeDefinitionsInRows(database);
    const accountOf = (from: DatabaseSync) =>
      from.prepare('select paid, owed, carry from deployments').get();
    const before = accountOf(database);
    database.close();
    // 7 units of 10^-18 for 1234 ms of 6000 ms.
    expect(before).toEqual({ paid: '0.000000000000000001', owed: '0', carry: '2638' });

    const second = await folder.start({ clock });
    const after = await folder.caller();
    await waitUntilActive(after, id);
    clock.advance(1000);
    await second.close();
    const reopened = new DatabaseSync(path.join(folder.dataDir, 'host.db'));
    const runs = reopened.prepare('select deployment, ran_ms, is_over from charged_runs').all();
    expect(runs).toEqual([{ deployment: id, ran_ms: 1000, is_over: 1 }]);
    expect(accountOf(reopened)).toEqual({ paid: '0.000000000000000002', owed: '0', carry: '3638' });
    reopened.close();
  });
});
