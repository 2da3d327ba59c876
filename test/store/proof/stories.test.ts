import { describe, expect, it } from 'vitest';
import type { Deployment } from '../../../source/contract/deployments.ts';
import type { Verdict } from '../../../source/store/proof/judge.ts';
import { ahead, begin, createProofWorld, iso, judgementOf } from './proof-world.ts';

/** The state of the deployment at a second of the run. */
interface Seen {
  readonly second: number;
  readonly crashes?: number;
  readonly isFailed?: boolean;
  /** Number of restarts after the first one. */
  readonly restarts?: number;
}

interface Story {
  readonly name: string;
  /** Lines of each second after the restart. */
  readonly lines: (second: number) => readonly string[];
  readonly seen?: readonly Seen[];
  readonly verdict: Verdict;
}

const served = (second: number): readonly string[] =>
  second < 1 ? ['listening on 8080'] : [`GET /${second} 200 12ms`, 'GET /health 200 1ms'];

const crashes: readonly Seen[] = [
  { second: 1 },
  { second: 3, crashes: 1 },
  { second: 6, crashes: 2, isFailed: true },
];

const stories: readonly Story[] = [
  {
    name: 'a mistake in the configuration',
    lines: (second) => (second % 3 === 0 ? ['FATAL config/app.yaml: port is no number'] : []),
    seen: crashes,
    verdict: 'worse',
  },
  {
    name: 'a port that is taken',
    lines: (second) =>
      second % 3 === 0 ? ['Error: listen EADDRINUSE: address in use :::8080'] : [],
    seen: crashes,
    verdict: 'worse',
  },
  {
    name: 'a typing error in the code',
    lines: (second) =>
      second % 2 === 0
        ? ['TypeError: prices.mpa is not a function', '    at list (/app/server.js:31:17)']
        : served(second),
    verdict: 'worse',
  },
  {
    name: 'a start that takes 12 seconds instead of one',
    lines: (second) => (second < 12 ? [] : served(second - 12)),
    verdict: 'unchanged',
  },
  {
    name: 'a dependency that is down',
    lines: (second) =>
      second % 3 === 1
        ? ['ERROR cannot connect to ledger:5432: ECONNREFUSED, trying again in 3s']
        : ['GET /health 200 1ms'],
    verdict: 'worse',
  },
  {
    name: 'a storm of errors',
    lines: (second) =>
      Array.from({ length: 40 }, (_, at) => `ERROR queue ${at} is full (${second})`),
    verdict: 'worse',
  },
  {
    name: 'a silent hang',
    lines: (second) => (second < 3 ? served(second) : []),
    verdict: 'unchanged',
  },
  {
    name: 'a restart by somebody else in between',
    lines: served,
    seen: [{ second: 1 }, { second: 14, restarts: 1 }],
    verdict: 'unclear',
  },
  {
    name: 'a good change',
    lines: served,
    verdict: 'unchanged',
  },
  {
    name: 'a burst of errors of a new kind',
    lines: (second) =>
      second === 14
        ? Array.from({ length: 12 }, (_, at) => `ERROR client ${at} has gone`)
        : served(second),
    verdict: 'worse',
  },
];

/** The fields that a service tells of its deployments. */
const services: readonly (readonly [string, (seen: Seen, at: number) => Partial<Deployment>])[] = [
  [
    'our host',
    ({ crashes: count = 0, isFailed = false, restarts = 0 }, at) => ({
      state: isFailed ? 'failed' : 'active',
      restartedAt: iso(at + restarts),
      services: [
        {
          name: 'web',
          state: isFailed ? 'failed' : 'active',
          startedAt: iso(at + restarts + count),
          restarts: count,
          exitCode: count === 0 ? null : 1,
        },
      ],
    }),
  ],
  [
    'a service that tells only a state and times of starts',
    ({ crashes: count = 0, isFailed = false, restarts = 0 }, at) => ({
      state: isFailed ? 'CrashLoopBackOff' : 'running',
      services: [{ name: 'web', startedAt: iso(at + restarts + count) }],
    }),
  ],
];

for (const [service, tell] of services) {
  describe(`on ${service}`, () => {
    it.each(stories)(
      '$name is judged rightly',
      async ({ lines, seen = [{ second: 1 }], verdict }) => {
        const world = createProofWorld();
        await world.pass(180, served);
        const startedAt = begin + ahead;
        const before: Deployment = { id: 'd', services: [], ...tell({ second: 0 }, startedAt) };
        const { proof } = world.prove({ before });
        const at = world.now();
        for (let second = 0; second < 34; second += 1) {
          await world.pass(1, () => lines(second));
          const now = seen.findLast((one) => one.second <= second);
          if (now !== undefined) proof.observe({ id: 'd', services: [], ...tell(now, at) });
        }
        expect(judgementOf(proof)?.verdict).toBe(verdict);
        proof.stop();
      },
    );
  });
}
