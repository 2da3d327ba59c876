/** The records of closed deployments, whose files and logs are kept for some time. */
import { archiveDeployment } from './archived-deployments.ts';
import type { DeploymentRecord } from './deployment-record.ts';
import type { Storage } from './records/storage.ts';
import { gone } from './refusal.ts';

/** The keys of a deployment's files and log. */
export interface ClosedDeployment {
  readonly id: string;
  readonly number: number;
}

/**
 * Records the removal of the files and logs of closed deployments. A removal is recorded before it
 * begins, so that one that a killed host began is completed by the next.
 */
export class ClosedDeployments {
  readonly #storage: Storage;

  constructor(storage: Storage) {
    this.#storage = storage;
  }

  /** Returns true for a deployment that is open, or closed with its files, volumes and logs. */
  keeps(id: string): boolean {
    const row = this.#storage
      .prepare('select removal_began_at from deployments where id = ?')
      .get(id);
    return row !== undefined && row['removal_began_at'] === null;
  }

  /** Returns the deployments with files and logs. */
  listKept(): readonly ClosedDeployment[] {
    return this.#list('removal_began_at is null');
  }

  /** Returns the deployments with files and logs that were closed until then. */
  listClosedUntil(time: number): readonly ClosedDeployment[] {
    return this.#list('removal_began_at is null and closed_at <= ?', time);
  }

  /** Returns the deployments whose removal has begun. */
  listBegun(): readonly ClosedDeployment[] {
    return this.#list('removal_began_at is not null');
  }

  beginRemoval(deployments: readonly ClosedDeployment[], now: number): void {
    this.#storage.transaction(() => {
      for (const { number } of deployments) {
        this.#storage
          .prepare(
            `update deployments set removal_began_at = ifnull(removal_began_at, ?) where number = ?`,
          )
          .run(now, number);
      }
    });
  }

  completeRemoval(deployments: readonly ClosedDeployment[]): void {
    this.#storage.transaction(() => {
      for (const { number } of deployments) archiveDeployment(this.#storage, number);
    });
  }

  #list(condition: string, ...values: readonly number[]): readonly ClosedDeployment[] {
    return this.#storage
      .prepare(
        `select id, number from deployments
         where phase = 'closed' and ${condition} order by closed_at, number`,
      )
      .all(...values)
      .map(({ id, number }) => ({ id: String(id), number: Number(number) }));
  }
}

/** Throws a 410 when the files and logs of a deployment have been removed. */
export function assertKept({ closedAt, removedAt }: DeploymentRecord): void {
  if (removedAt === undefined) return;
  const closed = closedAt === undefined ? '' : `, which was closed at ${formatMinute(closedAt)},`;
  throw gone(
    `The files and logs of this deployment${closed} were removed at ${formatMinute(removedAt)} ` +
      'to free disk space.',
  );
}

/** Formats a time as `2026-11-22 09:30 UTC`. */
function formatMinute(time: number): string {
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
