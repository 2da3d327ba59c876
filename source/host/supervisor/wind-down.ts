import type { Files } from '../files/files.ts';
import type { LogOwner } from '../logs/run.ts';
import type { HostLogs } from '../logs/logs.ts';

export interface WindDownParts {
  readonly files: Pick<Files, 'removeGenerationsBefore'>;
  readonly logs: Pick<HostLogs, 'end'>;
  /** Called when a deployment has ended and its files and log change no more. */
  readonly onEnded: () => void;
}

/** Ends closed deployments: their instances, their log streams, and the running copies of files. */
export class WindDown {
  readonly #parts: WindDownParts;
  readonly #steps = new Map<string, 'stopping' | 'cleaning'>();

  constructor(parts: WindDownParts) {
    this.#parts = parts;
  }

  /** Returns true while instances of a closed deployment may run. */
  isStopping(id: string): boolean {
    return this.#steps.get(id) === 'stopping';
  }

  /** Returns true when the files and the log of a closed deployment change no more. */
  hasEnded(id: string): boolean {
    return !this.#steps.has(id);
  }

  /** Ends a closed deployment, whose instances `stop` stops. Never rejects. */
  async run(record: LogOwner, stop: () => Promise<void>): Promise<void> {
    const { files, logs, onEnded } = this.#parts;
    this.#steps.set(record.id, 'stopping');
    await stop();
    this.#steps.set(record.id, 'cleaning');
    // The host's next start removes a generation that remains.
    await Promise.allSettled([
      logs.end(record),
      files.removeGenerationsBefore(record.id, Number.POSITIVE_INFINITY),
    ]);
    this.#steps.delete(record.id);
    onEnded();
  }
}
