/** Tries what a console needs of a service: its list of deployments, and the stream of a log. */
import type { Client } from '../../client/client.ts';
import type { ServiceError } from '../../client/http/errors.ts';
import type { Limits } from '../../client/http/limits.ts';
import { isClosed } from '../../store/deployments/deployments.ts';
import type { Clock } from '../../store/time/clock.ts';

/** The outcome of a probe. */
export interface ServiceProbe {
  /** Number of listed deployments, or the error of the list. */
  readonly list: { readonly count: number } | { readonly error: ServiceError };
  /** Undefined where no open deployment has a log to stream. */
  readonly stream: { readonly error: ServiceError | undefined } | undefined;
}

/** Limits of a probe: one attempt, and no long wait. */
export const probeLimits: Partial<Limits> = {
  retries: 0,
  connectTimeout: 5000,
  answerTimeout: 10_000,
};

/** Milliseconds in which a service may close the stream that it has opened, for a rejected token. */
const refusalTime = 500;

/** Probes a service; sends nothing that changes it. */
export async function probeService(
  client: Pick<Client, 'deployments' | 'logs'>,
  clock: Clock,
  signal: AbortSignal,
): Promise<ServiceProbe> {
  const listed = await client.deployments.list(signal);
  if (!listed.ok) return { list: { error: listed.error }, stream: undefined };
  const list = { count: listed.total ?? listed.value.length };
  const first = listed.value.find(({ value }) => !isClosed(value));
  if (first === undefined) return { list, stream: undefined };
  return { list, stream: { error: await streamError(client, first.value.id, clock) } };
}

/** Resolves with the reason why a stream did not open or stay open; undefined where it did. */
function streamError(
  { logs }: Pick<Client, 'logs'>,
  id: string,
  clock: Clock,
): Promise<ServiceError | undefined> {
  return new Promise((resolve) => {
    let cancel = (): void => {};
    const settle = (error?: ServiceError): void => {
      cancel();
      stream.close();
      resolve(error);
    };
    const stream = logs.stream(id, {
      onOpen() {
        cancel = clock.after(refusalTime, () => settle());
      },
      onFrames: () => settle(),
      onOtherMessage() {},
      onClose: (error) => settle(error),
    });
  });
}
