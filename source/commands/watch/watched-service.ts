/** The lists of a service, as far as alert rules look at them. */
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Result } from '../../client/http/errors.ts';
import type { RuleSources } from '../../store/alert-rules/rule-watch.ts';
import { createAttention } from '../../store/attention/attention.ts';
import { createPolling } from '../../store/deck/polling.ts';
import { createDeployments, type DeploymentsStore } from '../../store/deployments/deployments.ts';
import { createGrants } from '../../store/grants/grants.ts';
import { createGrantRates } from '../../store/grants/spend-rates.ts';
import type { Reach } from '../../store/lists/reach.ts';
import type { Restarts } from '../../store/restarts/state.ts';
import { createKeyPause } from '../../store/time/key-pause.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';

export interface WatchedService {
  readonly sources: RuleSources;
  readonly deployments: DeploymentsStore['list']['state'];
  /** The lists that rules need. */
  readonly lists: readonly { refresh(): Promise<Result<unknown>> }[];
  readonly reach: StoreApi<Reach>;
  /** Fetches the lists again and again. */
  start(): void;
  stop(): void;
}

/** Milliseconds between two fetches of the grants. */
const grantsInterval = 10_000;

export function createWatchedService(
  { client, clock: machine, service }: ServiceCommandContext,
  hasGrantRules: boolean,
): WatchedService {
  const serviceNow = (at = machine.now()): number => at + client.clockOffset();
  const clock = { ...machine, serviceNow };
  const keyPause = createKeyPause(clock);
  const deployments = createDeployments({ client: client.deployments, clock });
  const { wallet } = service.profile;
  const grants = createGrants({ client: client.grants, clock, wallet });
  const rates = createGrantRates({ list: grants.list, serviceNow });
  const attention = createAttention({
    deployments: deployments.list.state,
    // Restarts belong to the console that requested them.
    restarts: createStore<Restarts>(() => new Map()),
    clock,
    keyPause,
  });
  const polling = createPolling({
    clock,
    probe: () => deployments.list.refresh(),
    tasks: hasGrantRules ? [{ interval: grantsInterval, run: () => grants.list.refresh() }] : [],
  });
  return {
    sources: {
      clock,
      client: client.logs,
      random: Math.random,
      deployments: deployments.list.state,
      attention,
      grants: grants.list.state,
      rateOf: (id) => rates.rateOf(id),
      wallet: () => grants.wallet(),
      nameOf: () => undefined,
      lowDisk: () => client.lowDisk(),
      isAnswering: () => polling.reach.getState().kind === 'up',
    },
    deployments: deployments.list.state,
    lists: hasGrantRules ? [deployments.list, grants.list] : [deployments.list],
    reach: polling.reach,
    start: () => polling.start(),
    stop() {
      polling.stop();
      attention.stop();
    },
  };
}
