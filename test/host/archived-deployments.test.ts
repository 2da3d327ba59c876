import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { deflateRawSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { ChargedRuns } from '../../source/host/money/charged-runs.ts';
import { Deployments } from '../../source/host/deployments.ts';
import { migrations } from '../../source/host/records/migrations.ts';
import { Storage } from '../../source/host/records/storage.ts';
import { ServiceUsers } from '../../source/host/isolation/service-users.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { ManualClock } from './support/manual-clock.ts';

/** Migrations that had run when removed deployments were kept next to the others. */
const before = 7;

interface OldDeployment {
  readonly id: string;
  readonly owner: string;
  readonly sdl: string;
  readonly state: 'removed' | 'removing' | 'kept' | 'open';
}

function idOf(number: number): string {
  const digits = createHash('sha256').update(String(number)).digest('hex');
  const parts = [0, 8, 12, 16, 20].map((from, index, all) =>
    digits.slice(from, all[index + 1] ?? 32),
  );
  return `${parts.join('-')}-${number}`;
}

function makeOldRecords(dataDir: string, deployments: readonly OldDeployment[]): void {
  mkdirSync(dataDir, { recursive: true });
  const records = new DatabaseSync(path.join(dataDir, 'host.db'));
  for (const sql of migrations.slice(0, before)) records.exec(sql);
  records.exec(`pragma user_version = ${before}`);
  for (const [index, { id, owner, sdl, state }] of deployments.entries()) {
    const number = index + 1;
    records
      .prepare(
        `insert into deployments (number, id, name, owner, counts, warnings, phase, generation, price,
           carry, owed, paid, run_usage, created_at, restarted_at, closed_at, removal_began_at,
           is_removed)
         values (?, ?, ?, ?, '[{"name":"web","count":2}]', '[]', ?, 3, '0.000001', '7', '0.5', ?, ?, ?,
           ?, ?, ?, ?)`,
      )
      .run(
        number,
        id,
        `name ${number}`,
        owner,
        state === 'open' ? 'running' : 'closed',
        `${number}.000000000000000001`,
        String(10n ** 24n + BigInt(number)),
        1000 + number,
        number % 2 === 0 ? null : 2000 + number,
        state === 'open' ? null : 3000 + number,
        state === 'removed' || state === 'removing' ? 4000 + number : null,
        state === 'removed' ? 1 : 0,
      );
    if (state === 'removed') {
      records
        .prepare('insert into archived_definitions values (?, ?)')
        .run(number, deflateRawSync(sdl));
    } else records.prepare('insert into definitions values (?, ?, ?)').run(number, sdl, '[]');
    records.prepare('insert into service_users values (?, ?)').run(id, index);
    records
      .prepare(
        `insert into charged_runs (run, deployment, service, instance, price, began_at, ran_ms,
           seen_at, seen_monotonic, boot, is_over)
         values (?, ?, 'web', 1, '0.000000000000000003', 0, 100, 0, 0, '', 1)`,
      )
      .run(`run ${number}`, id);
  }
  records.close();
}

it('removed deployments of the version before keep all that can be asked for', () => {
  const states = ['removed', 'kept', 'removed', 'open', 'removing', 'removed'] as const;
  const deployments = states.map(
    (state, index): OldDeployment => ({
      id: idOf(index + 1),
      owner: index === 2 ? '0xother' : '0xowner',
      sdl: index === 5 ? 'another: {}' : 'services: {}',
      state,
    }),
  );
  const dataDir = temporaryFolder();
  makeOldRecords(dataDir, deployments);
  const storage = Storage.open(dataDir);
  onTestFinished(() => {
    storage.close();
  });
  const opened = new Deployments(storage, new ManualClock());
  for (const [index, { id, owner, sdl, state }] of deployments.entries()) {
    const number = index + 1;
    const record = opened.get(owner, id);
    expect(record).toMatchObject({
      number,
      id,
      name: `name ${number}`,
      phase: state === 'open' ? 'running' : 'closed',
      generation: 3,
      price: 10n ** 12n,
      createdAt: 1000 + number,
      restartedAt: number % 2 === 0 ? undefined : 2000 + number,
      closedAt: state === 'open' ? undefined : 3000 + number,
      removedAt: state === 'removed' || state === 'removing' ? 4000 + number : undefined,
    });
    if (state === 'removed') expect(record.services).toMatchObject([{ name: 'web', count: 2 }]);
    expect(opened.readSdl(record)).toBe(sdl);
    expect(opened.getAccount(id)).toEqual({
      carry: 7n,
      owed: 5n * 10n ** 17n,
      paid: BigInt(number) * 10n ** 18n + 1n,
    });
  }
  const closed = [...opened.listClosedOf('0xowner', 0, 10)].map(({ number }) => number);
  expect(closed).toEqual([6, 5, 2, 1]);
  expect([opened.countClosedOf('0xowner'), opened.countClosedOf('0xother')]).toEqual([4, 1]);
  const shared = storage.prepare('select count(*) as count from archived_definitions').get();
  expect(shared).toEqual({ count: 2 });
  // User ids go on after the last one, and open deployments have theirs.
  const users = new ServiceUsers(storage, 0);
  expect([users.userOf('new'), users.userOf(idOf(4))]).toEqual([states.length, 3]);

  // The usage of an archived deployment grows by its runs.
  const runs = new ChargedRuns(storage);
  const store = (number: number) => {
    runs.store({
      id: `later ${number}`,
      deployment: idOf(4),
      service: 'web',
      instance: 1,
      price: 0n,
      beganAt: 0,
      ranMs: 0,
      seen: { at: 0, monotonic: 0, boot: '' },
      isOver: true,
    });
  };
  storage.transaction(() => {
    for (let number = 0; number < 1000; number += 1) store(number);
  });
  const usages = storage
    .prepare('select run_usage from archived_deployments order by number')
    .all();
  const usage = (number: number) => String(10n ** 24n + BigInt(number) + 300n);
  expect(usages.map((row) => row['run_usage'])).toEqual([usage(1), usage(3), usage(6)]);
});
