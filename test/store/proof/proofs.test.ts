import { expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import type { Deployment } from '../../../source/contract/deployments.ts';
import type { ProofRecord } from '../../../source/store/proof/proof-record.ts';
import { Proofs } from '../../../source/store/proof/proofs.ts';
import { createRestarts } from '../../../source/store/restarts/restarts.ts';
import { LogModel } from '../../servers/log-model.ts';
import { createTestClock } from '../../support/clock.ts';
import { waitFor } from '../../support/wait-for.ts';
import { done } from '../requests.ts';
import { refused } from '../restarts/restarts-fixture.ts';

const begin = Date.UTC(2026, 10, 26, 12);
const iso = (at: number) => new Date(at).toISOString();
const file = { service: 'web', path: 'config/app.yaml' };

/** A console on a service whose deployment `d` writes two lines each second. */
function createConsole({
  seconds = 30,
  clock = createTestClock(begin),
  model = new LogModel(),
  stored = new Map<number, ProofRecord>(),
} = {}) {
  const verdicts: string[] = [];
  let answer: typeof done | typeof refused = done;
  const restarts = createRestarts({
    client: { restart: async () => answer },
    clock,
    delay: 5000,
  });
  const row = (value: Deployment) => ({ value, unknown: {} });
  const deployments = createStore(() => ({
    rows: [row({ id: 'd', createdAt: iso(begin), services: [{ name: 'web', restarts: 0 }] })],
  }));
  const proofs = new Proofs({
    client: model,
    clock: { ...clock, serviceNow: (at = clock.now()) => at },
    random: () => 0,
    seconds,
    restarts: restarts.state,
    deployments,
    label: () => 'shop',
    records: {
      read: async () => [...stored.values()].toSorted((a, b) => b.at - a.at),
      abandoned: async () => [...stored.values()].filter(({ isJudged }) => !isJudged),
      write: async (record) => void stored.set(record.at, record),
    },
    requestedTimes: () => [],
    onVerdict: (record, { verdict }) => verdicts.push(`${record.name} ${verdict}`),
  });
  return {
    clock,
    model,
    stored,
    verdicts,
    restarts,
    proofs,
    refuse: () => (answer = refused),
    shown: () => proofs.state.getState().get('d'),
    word: () => proofs.words.getState().get('d'),
    list: (services: Deployment['services'], restartedAt?: string) =>
      deployments.setState({
        rows: [row({ id: 'd', createdAt: iso(begin), services, restartedAt })],
      }),
    async pass(passed: number, texts: readonly string[] = []) {
      for (let second = 0; second < passed; second += 1) {
        for (const logLine of ['GET / 200', 'served', ...texts]) {
          model.write({ logLine, timestamp: iso(clock.now()) });
        }
        await clock.advance(1000);
      }
    },
    [Symbol.dispose]() {
      proofs.stop();
      restarts.stop();
    },
  };
}

it('a restart that applies changes is proved, and its row counts down to the verdict', async () => {
  using one = createConsole();
  await one.pass(60);
  one.restarts.filesChanged('d', file);
  await one.pass(6);
  await waitFor(() => expect(one.shown()).toMatchObject({ kind: 'proving' }));
  expect(one.word()).toBe('proving');
  expect([...one.stored.values()]).toMatchObject([{ verdict: 'unclear', files: [file] }]);
  await one.pass(33);
  expect(one.word()).toBe('unchanged');
  expect(one.verdicts).toEqual(['shop unchanged']);
  expect([...one.stored.values()]).toMatchObject([
    {
      name: 'shop',
      verdict: 'unchanged',
      changedFrom: begin + 60_000,
    },
  ]);
  await one.pass(600);
  expect(one.shown()).toBeUndefined();
});

it('a run that is worse says so once, and its row until the next restart', async () => {
  using one = createConsole();
  await one.pass(60);
  one.restarts.filesChanged('d', file);
  await one.pass(6);
  await waitFor(() => expect(one.shown()).toMatchObject({ kind: 'proving' }));
  await one.pass(33, ['ERROR no price']);
  expect(one.word()).toBe('errors up');
  one.list([{ name: 'web', restarts: 1, exitCode: 1 }]);
  one.list([{ name: 'web', restarts: 2, exitCode: 1 }]);
  expect(one.shown()).toMatchObject({ judgement: { figures: { crashes: 2 } } });
  expect(one.verdicts).toEqual(['shop worse']);
  await one.pass(700);
  expect(one.word()).toBe('crashed');
  const [record] = one.stored.values();
  if (record === undefined) throw new Error('no record');
  await one.proofs.undone(record);
  expect(one.shown()).toBeUndefined();
  expect([...one.stored.values()]).toMatchObject([{ isUndone: true, verdict: 'worse' }]);
});

it('another restart from here ends a proof without a word, and is proved instead', async () => {
  using one = createConsole();
  await one.pass(60);
  one.restarts.filesChanged('d', file);
  await one.pass(12);
  await waitFor(() => expect(one.shown()).toMatchObject({ kind: 'proving' }));
  one.restarts.filesChanged('d', { ...file, path: 'other.yaml' });
  await one.pass(6);
  await waitFor(() => expect(one.stored.size).toBe(2));
  await one.pass(33);
  expect(one.verdicts).toEqual(['shop unchanged']);
  expect([...one.stored.values()].map(({ verdict }) => verdict)).toEqual(['unclear', 'unchanged']);
});

it('nothing is proved without changes, after a refusal, or where it is off', async () => {
  using plain = createConsole();
  plain.restarts.restart('d');
  await plain.pass(2);
  using refusing = createConsole();
  refusing.refuse();
  refusing.restarts.filesChanged('d', file);
  await refusing.pass(6);
  using off = createConsole({ seconds: 0 });
  off.restarts.filesChanged('d', file);
  await off.pass(6);
  for (const one of [plain, refusing, off]) {
    expect(one.shown()).toBeUndefined();
    expect(one.stored.size).toBe(0);
    expect(one.model.attempts).toBe(0);
  }
});

it('a later console goes on with the proof of one that was killed, from the history of the log', async () => {
  using killed = createConsole();
  await killed.pass(60);
  killed.restarts.filesChanged('d', file);
  await killed.pass(6);
  await waitFor(() => expect(killed.stored.size).toBe(1));
  killed.proofs.stop();
  await killed.pass(100, ['ERROR no price']);
  expect(killed.verdicts).toEqual([]);
  using later = createConsole(killed);
  await later.proofs.resume();
  await later.pass(3);
  expect(later.verdicts).toEqual(['shop worse']);
  expect([...later.stored.values()]).toMatchObject([{ verdict: 'worse', isJudged: true }]);
});

it('a proof that was left long ago stays unclear, and nobody hears of it', async () => {
  using killed = createConsole();
  killed.restarts.filesChanged('d', file);
  await killed.pass(6);
  await waitFor(() => expect(killed.stored.size).toBe(1));
  killed.proofs.stop();
  await killed.clock.advance(3_600_000);
  using later = createConsole(killed);
  await later.proofs.resume();
  expect(later.shown()).toBeUndefined();
  expect([...later.stored.values()]).toMatchObject([{ verdict: 'unclear', isJudged: true }]);
});
