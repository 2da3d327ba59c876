import type { Deployment, Service } from '../../../source/contract/deployments.ts';
import { eventStream } from '../../../source/contract/event-lines.ts';
import type { RunJudgement } from '../../../source/store/proof/judge.ts';
import { Proof, type ProofState } from '../../../source/store/proof/proof.ts';
import type { ProvedRestart } from '../../../source/store/proof/proof-log.ts';
import { LogModel } from '../../servers/log-model.ts';
import { createTestClock, type TestClock } from '../../support/clock.ts';

export const begin = Date.UTC(2026, 10, 26, 12);
export const iso = (at: number) => new Date(at).toISOString();

/** Milliseconds by which the service's clock is ahead of ours. */
export const ahead = 90_000;

export interface ProofWorld {
  readonly model: LogModel;
  readonly clock: TestClock;
  /** Time of the service in ms. */
  now(): number;
  /** Writes lines at the service's time. */
  write(...texts: readonly string[]): void;
  /** Tells a start in the log. */
  start(): void;
  /** Tells the stop of an instance. */
  stop(): void;
  /** Lets seconds pass, and writes lines at the begin of each. */
  pass(seconds: number, texts?: (second: number) => readonly string[]): Promise<void>;
  /** Restarts the deployment, and proves that. */
  prove(
    more?: Partial<ProvedRestart>,
    onJudged?: () => void,
  ): { readonly proof: Proof; readonly states: ProofState[] };
}

/** A service whose deployment has started ten minutes ago. */
export function createProofWorld(): ProofWorld {
  const model = new LogModel();
  const clock = createTestClock(begin);
  const now = () => clock.now() + ahead;
  const write = (...texts: readonly string[]): void => {
    for (const logLine of texts) model.write({ logLine, timestamp: iso(now()) });
  };
  const tell = (logLine: string): void => {
    const serviceName = 'web';
    model.write({ logLine, stream: eventStream, serviceName, timestamp: iso(now()) });
  };
  return {
    model,
    clock,
    now,
    write,
    start: () => {
      tell('started');
    },
    stop: () => {
      tell('stopped');
    },
    async pass(seconds, texts = () => []) {
      for (let second = 0; second < seconds; second += 1) {
        write(...texts(second));
        await clock.advance(1000);
      }
    },
    prove(more = {}, onJudged = () => {}) {
      const states: ProofState[] = [];
      const proof = new Proof({
        restart: {
          deploymentId: 'd',
          before: deployment({ startedAt: iso(begin + ahead) }),
          at: now(),
          requested: [],
          ...more,
        },
        seconds: 30,
        client: model,
        clock: { ...clock, serviceNow: now },
        random: () => 0,
        onState(state) {
          states.push(state);
          if (state.kind === 'judged') onJudged();
        },
      });
      return { proof, states };
    },
  };
}

export function deployment(web: Partial<Service>, more: Partial<Deployment> = {}): Deployment {
  return { id: 'd', services: [{ name: 'web', restarts: 0, ...web }], ...more };
}

export const healthy = (second: number) => [`GET /${second} 200`, 'served'];
export const judgementOf = (proof: Proof): RunJudgement | undefined => {
  const state = proof.state();
  return state.kind === 'judged' ? state.judgement : undefined;
};
