import { eventStream } from '../../contract/event-lines.ts';
import type { LogOwner, LogRun } from './run.ts';

/** Lines without ids yet. */
export interface PendingRun extends Omit<LogRun, 'deployment' | 'first'> {
  readonly owner: LogOwner;
}

/** Counts the lines that a full disk refuses, by service of a deployment, until the loss is logged. */
export class LostLines {
  readonly #lost = new Map<string, { readonly run: PendingRun; count: number }>();

  add(run: PendingRun): void {
    const key = `${run.owner.number} ${run.service}`;
    const loss = this.#lost.get(key) ?? { run, count: 0 };
    loss.count += run.count;
    this.#lost.set(key, loss);
  }

  /** Returns a line for the log of each service that has lost some, and counts anew. */
  take(): readonly PendingRun[] {
    const losses = [...this.#lost.values()];
    this.#lost.clear();
    return losses.map(({ run: { owner, service, at }, count }) => {
      const text = `${count} lines were lost here: they couldn't be written to disk`;
      return { owner, service, stream: eventStream, at, count: 1, text };
    });
  }
}
