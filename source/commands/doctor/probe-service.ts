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
  readonly stream: StreamProbe | undefined;
}

/** The outcome of opening a stream. */
export type StreamProbe =
  /** The types of the messages that are no lines and no keep-alives, each once. */
  | { readonly kind: 'open'; readonly otherTypes: readonly string[] }
  | { readonly kind: 'refused'; readonly error: ServiceError }
  /** The first messages can't be read; `description` says why. */
  | { readonly kind: 'unreadable'; readonly description: string };

/** Limits of a probe: one attempt, and no long wait. */
export const probeLimits: Partial<Limits> = {
  retries: 0,
  connectTimeout: 5000,
  answerTimeout: 10_000,
};

/**
 * Milliseconds in which a service may close the stream that it has opened, for a rejected token, or
 * send its first line.
 */
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
  return { list, stream: await probeStream(client, first.value.id, clock) };
}

function probeStream(
  { logs }: Pick<Client, 'logs'>,
  id: string,
  clock: Clock,
): Promise<StreamProbe> {
  return new Promise((resolve) => {
    const otherTypes = new Set<string>();
    const opened = (): StreamProbe => ({ kind: 'open', otherTypes: [...otherTypes] });
    let cancel = (): void => {};
    const settle = (probe: StreamProbe): void => {
      cancel();
      stream.close();
      resolve(probe);
    };
    const stream = logs.stream(id, {
      onOpen() {
        cancel = clock.after(refusalTime, () => settle(opened()));
      },
      onFrames({ bytes, count, starts, ends }) {
        for (let index = 0; index < count; index += 1) {
          const frame = logs.decode(bytes, starts[index] ?? 0, ends[index] ?? 0);
          if (frame.kind === 'line') return settle(opened());
          if (frame.kind === 'unreadable') return settle(frame);
          if (frame.kind === 'other') otherTypes.add(frame.description);
        }
        return undefined;
      },
      onClose: (error) => settle({ kind: 'refused', error }),
    });
  });
}
