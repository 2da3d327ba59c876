import { describe, expect, it } from 'vitest';
import type { Deployment } from '../../../source/contract/deployments.ts';
import { gatherEvidence } from '../../../source/store/proof/gather-evidence.ts';
import { judgeRun, type RunJudgement } from '../../../source/store/proof/judge.ts';
import type { ProofRecord } from '../../../source/store/proof/proof-record.ts';
import { createLogTally } from '../../../source/store/proof/tally.ts';

const second = 1000;
const createdAt = Date.UTC(2026, 10, 26, 12);
const at = createdAt + 300 * second + 730;
const iso = (time: number) => new Date(time).toISOString();

/** A line of the service `web`, and when it was written, ms after the restart. */
type Written = readonly [after: number, logLine: string, stream?: string];

/** Returns lines at regular intervals. */
function regular(from: number, to: number, every: number, text: string): readonly Written[] {
  return Array.from({ length: Math.ceil((to - from) / every) }, (_, index) => [
    from + index * every,
    text,
  ]);
}

/** Good requests all the time before the restart, twice a second. */
const before = regular(-300 * second, 0, 500, 'GET / 200');
const served = (from: number) => regular(from, 30 * second, 500, 'GET / 200');

/** The restart half a minute before, whose run was worse. */
const worse: ProofRecord = {
  deploymentId: 'd',
  name: 'shop',
  at: at - 30 * second,
  changedFrom: 0,
  requestedAt: 0,
  files: [],
  verdict: 'worse',
  isJudged: true,
  isUndone: false,
  samples: [],
};

function judged(lines: readonly Written[], web: Partial<Deployment['services'][0]>): RunJudgement {
  const tally = createLogTally();
  for (const [after, logLine, stream = 'stdout'] of [...before, ...lines]) {
    tally.add({ logLine, serviceName: 'web', timestamp: iso(at + after), stream }, at);
  }
  const log = { tally, knownFrom: () => Number.NEGATIVE_INFINITY, missing: () => [] };
  const service = { name: 'web' };
  const restart = {
    deploymentId: 'd',
    before: { id: 'd', createdAt: iso(createdAt), services: [service] },
    at,
    requested: [],
    records: [worse],
  };
  const after = { id: 'd', services: [{ ...service, ...web }] };
  const services = gatherEvidence(restart, log, { after, elapsed: 30, proof: 30 });
  return judgeRun({ services, crashes: 0, isRestartedAgain: false });
}

describe('the lines of the run before, which go on until it is stopped,', () => {
  const storm = regular(-30 * second, 900, 25, 'ERROR queue is full');

  it('are none of the new run where the deployment tells its start', () => {
    const lines = [...storm, ...served(1500)];
    expect(judged(lines, { startedAt: iso(at + 1200) })).toMatchObject({
      verdict: 'no worse',
      figures: { errorsPerMinute: 0 },
    });
  });

  it('are none of the new run where the log tells its start', () => {
    const lines = [...storm, [1100, 'started', 'system'] as const, ...served(1500)];
    expect(judged(lines, {}).verdict).toBe('no worse');
  });

  it('are left out where nothing tells the start, when they were errors', () => {
    expect(judged([...storm, ...served(1500)], {}).verdict).toBe('no worse');
  });

  it('hide no storm of the new run', () => {
    const lasting = regular(-30 * second, 30 * second, 25, 'ERROR queue is full');
    for (const web of [{}, { startedAt: iso(at + 1200) }]) {
      expect(judged([...lasting, ...served(1500)], web).verdict).toBe('worse');
    }
  });

  it('are not enough to tell that a silent run is no worse', () => {
    const lines = regular(0, 900, 25, 'GET / 200');
    expect(judged(lines, {}).verdict).not.toBe('no worse');
    expect(judged(lines, { startedAt: iso(at + 1200) }).verdict).not.toBe('no worse');
  });
});
