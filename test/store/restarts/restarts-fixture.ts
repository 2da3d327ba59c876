import type { PendingRestart } from '../../../source/store/restarts/journal.ts';
import { createRestarts, type RestartsOptions } from '../../../source/store/restarts/restarts.ts';
import { createTestClock } from '../../support/clock.ts';
import { createRequests, failure } from '../requests.ts';

export const config = { service: 'web', path: 'config.yaml' };
export const page = { service: 'web', path: 'index.html' };

export const refused = failure('service-error', { status: 503 });
export const lost = failure('disconnected', { unknownOutcome: true });

/** Initial time of the fixture's clock. */
export const start = 1_000_000;

/** Creates restarts whose requests and clock the test controls. */
export function createFixture(options: Partial<RestartsOptions> = {}) {
  const clock = createTestClock(start);
  const requests = createRequests<void>();
  const journal: (readonly PendingRestart[])[] = [];
  const restarts = createRestarts({
    client: { restart: (id) => requests.send([id]) },
    clock,
    journal: { write: (entries) => void journal.push(entries) },
    ...options,
  });
  return {
    clock,
    requests,
    restarts,
    journal,
    /** Ids of the restarted deployments, in order. */
    sent: () => requests.sent.map(({ asked }) => asked[0]),
    of: (id: string) => restarts.state.getState().get(id),
  };
}
