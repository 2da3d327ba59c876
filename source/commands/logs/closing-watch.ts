/** Finds out that a deployment was closed, for services whose stream stays open then. */
import type { Client } from '../../client/client.ts';
import type { FollowedLog } from '../../store/log/feed/followed-log.ts';
import type { Clock } from '../../store/time/clock.ts';

export interface ClosingWatchOptions {
  readonly id: string;
  readonly follow: boolean;
  readonly clock: Clock;
  readonly client: Pick<Client, 'logs'>;
}

/** Milliseconds without a line after which the service is asked, and between two questions. */
const interval = 15_000;

/** Completes a log once its deployment is closed. Asks only while no lines come. */
export function watchClosing(
  { id, follow, clock, client }: ClosingWatchOptions,
  logs: Pick<FollowedLog, 'state' | 'complete'>,
): { readonly stop: () => void } {
  let cancel = (): void => {};
  let isStopped = false;
  let received = -1;

  const check = async (): Promise<void> => {
    const before = received;
    ({ received } = logs.state.getState());
    const ended = before === received ? await client.logs.isEnded(id) : undefined;
    if (isStopped) return;
    if (ended?.ok === true && ended.value) logs.complete(closedError(id));
    cancel = clock.after(interval, () => void check());
  };
  if (follow) cancel = clock.after(interval, () => void check());

  return {
    stop() {
      isStopped = true;
      cancel();
    },
  };
}

function closedError(id: string) {
  return {
    code: 'ended',
    operation: 'stream logs',
    sentence: `Deployment ${id} is closed.`,
    next: '',
    unknownOutcome: false,
  } as const;
}
