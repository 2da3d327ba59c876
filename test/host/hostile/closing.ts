import { randomInt } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { waitFor } from '../../support/wait-for.ts';
import { readLines } from '../support/bodies.ts';
import type { RunningHost } from './running-host.ts';
import { close, deployService, entryOf, hostileService, linesWith } from './hostile-services.ts';
import { pidsOfUser, pidsWithEntry, pidsWithWords } from './processes.ts';
import type { Knowledge } from './service/attack.ts';
import { leavings } from './service/leaving.ts';

/** Seconds that nobody else sleeps, one for each way to leave. */
function makeMarks(): readonly string[] {
  const base = randomInt(100_000, 999_999);
  return leavings.map((_, index) => `120.${base}${String(index).padStart(2, '0')}`);
}

const ignorant = {} as Knowledge;

export function testClosing(running: () => RunningHost): void {
  const leave = async () => {
    const { host, programs } = running();
    const marks = makeMarks();
    const orders = { knowledge: ignorant, attacks: 'none', marks } as const;
    // One that stopped itself would stay for ever where the host doesn't end it.
    onTestFinished(() => {
      for (const pid of marks.flatMap((mark) => pidsWithWords(mark))) process.kill(pid, 'SIGKILL');
    });
    const id = await deployService(host.owner, hostileService(programs.hostile, orders));
    await linesWith(host.owner, id, 'done');
    /** Ways by which a process of it runs. */
    const left = () =>
      leavings.flatMap(({ name }, index) =>
        pidsWithWords(marks[index] ?? '').length === 0 ? [] : [name],
      );
    await waitFor(() => expect(left()).toEqual(leavings.map(({ name }) => name)));
    const [first = ''] = await linesWith(host.owner, id, 'done');
    const user = /user id (\d+)/.exec(first)?.[1];
    const assertGone = ({ isRunning = false } = {}) => {
      expect(left()).toEqual([]);
      if (isRunning) return;
      expect(pidsWithEntry(entryOf(orders))).toEqual([]);
      if (user !== undefined) expect(pidsOfUser(Number(user))).toEqual([]);
    };
    return { id, assertGone };
  };

  /**
   * Whether something holds the processes of a service together whatever they do: a sandbox, or a
   * control group, which this machine may not let the host make.
   */
  const assertHeld = async (skip: (note: string) => void) => {
    const { configuration, host } = running();
    if (configuration.sandbox === 'require') return;
    const id = await deployService(host.owner, { command: ['cat', '/proc/self/cgroup'] });
    const lines = await waitFor(async () => {
      const found = await readLines(host.owner, id);
      expect(found.some((line) => line.startsWith('exited'))).toBe(true);
      return found;
    });
    await host.owner.call('closeDeployment', { id });
    if (lines.some((line) => line.includes('/hostdeck-'))) return;
    process.stderr.write('Processes that leave are SKIPPED: no control groups can be made here.\n');
    skip('no control groups');
  };

  it('takes them with it when its deployment is closed', async ({ skip }) => {
    await assertHeld(skip);
    const { id, assertGone } = await leave();
    await close(running().host.owner, id);
    assertGone();
  });

  it('takes them with it when its host was killed and another one starts', async ({ skip }) => {
    await assertHeld(skip);
    const { host } = running();
    const { id, assertGone } = await leave();
    await host.kill();
    await host.startAgain();
    // The service itself is there again.
    await linesWith(host.owner, id, 'done', 2);
    assertGone({ isRunning: true });
    await close(host.owner, id);
    assertGone();
  });
}
