import { randomInt } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { waitFor } from '../../support/wait-for.ts';
import { readLines } from '../support/bodies.ts';
import type { RunningHost } from './running-host.ts';
import { close, deployService, entryOf, hostileService, linesWith } from './hostile-services.ts';
import { pidsOfUser, pidsWithEntry, pidsWithWords } from './processes.ts';
import type { Knowledge } from './service/attack.ts';
import { escapes } from './service/leaving.ts';

/** Returns unique durations of `sleep`, one for each way to escape. */
function createMarks(): readonly string[] {
  const base = randomInt(100_000, 999_999);
  return escapes.map((_, index) => `120.${base}${String(index).padStart(2, '0')}`);
}

const noKnowledge = {} as Knowledge;

export function testClosing(running: () => RunningHost): void {
  const startEscapes = async () => {
    const { host, programs } = running();
    const marks = createMarks();
    const orders = { knowledge: noKnowledge, attacks: 'none', marks } as const;
    // A process that stopped itself would stay forever when the host doesn't end it.
    onTestFinished(() => {
      for (const pid of marks.flatMap((mark) => pidsWithWords(mark))) process.kill(pid, 'SIGKILL');
    });
    const id = await deployService(host.owner, hostileService(programs.hostile, orders));
    await linesWith(host.owner, id, 'done');
    /** Returns the names of the ways whose process still runs. */
    const runningEscapes = () =>
      escapes.flatMap(({ name }, index) =>
        pidsWithWords(marks[index] ?? '').length === 0 ? [] : [name],
      );
    await waitFor(() => expect(runningEscapes()).toEqual(escapes.map(({ name }) => name)));
    const [first = ''] = await linesWith(host.owner, id, 'done');
    const user = /user id (\d+)/.exec(first)?.[1];
    const assertGone = ({ isRunning = false } = {}) => {
      expect(runningEscapes()).toEqual([]);
      if (isRunning) return;
      expect(pidsWithEntry(entryOf(orders))).toEqual([]);
      if (user !== undefined) expect(pidsOfUser(Number(user))).toEqual([]);
    };
    return { id, assertGone };
  };

  /**
   * Skips the test unless the service has a sandbox or a control group, which the host may not be
   * permitted to create on this machine.
   */
  const skipWithoutContainment = async (skip: (note: string) => void) => {
    const { configuration, host } = running();
    if (configuration.sandbox === 'require') return;
    const id = await deployService(host.owner, { command: ['cat', '/proc/self/cgroup'] });
    const lines = await waitFor(async () => {
      const logged = await readLines(host.owner, id);
      expect(logged.some((line) => line.startsWith('exited'))).toBe(true);
      return logged;
    });
    await host.owner.call('closeDeployment', { id });
    if (lines.some((line) => line.includes('/hostdeck-'))) return;
    process.stderr.write(
      'Tests of escaping processes are SKIPPED: control groups cannot be created here.\n',
    );
    skip('no control groups');
  };

  it('loses them when its deployment is closed', async ({ skip }) => {
    await skipWithoutContainment(skip);
    const { id, assertGone } = await startEscapes();
    await close(running().host.owner, id);
    assertGone();
  });

  it('loses them when its host is killed and another one starts', async ({ skip }) => {
    await skipWithoutContainment(skip);
    const { host } = running();
    const { id, assertGone } = await startEscapes();
    await host.kill();
    await host.startAgain();
    // The service itself has started again.
    await linesWith(host.owner, id, 'done', 2);
    assertGone({ isRunning: true });
    await close(host.owner, id);
    assertGone();
  });
}
