import type { DeploymentRecord, Deployments } from '../deployments.ts';
import { makeRoom } from '../make-room.ts';
import type { Supervisor } from '../supervisor/supervisor.ts';

interface Written {
  /** How often what it is of had changed when it was written. */
  readonly changes: number;
  readonly text: string;
}

/** Lists of this many wallets are kept; the one that was written first goes first. */
const mostLists = 64;

/**
 * Deployments as JSON. Lists of them are asked for every few seconds by everyone who watches, and
 * hardly anything of them changes in between: what does not is written once.
 */
export class DeploymentTexts {
  readonly #deployments: Deployments;
  readonly #supervisor: Supervisor;
  readonly #written = new Map<string, Written>();
  readonly #lists = new Map<string, Written>();

  constructor(deployments: Deployments, supervisor: Supervisor) {
    this.#deployments = deployments;
    this.#supervisor = supervisor;
  }

  /** The deployment as it is now. */
  of(record: DeploymentRecord): string {
    const changes = this.#deployments.changes.ofDeployment(record.id);
    const before = this.#written.get(record.id);
    if (before?.changes === changes) return before.text;
    const text = JSON.stringify(this.#supervisor.status(record));
    this.#written.set(record.id, { changes, text });
    return text;
  }

  /** The answer of "list deployments": those of a wallet as they are now, newest first. */
  list(owner: string): string {
    const changes = this.#deployments.changes.ofOwner(owner);
    const before = this.#lists.get(owner);
    if (before?.changes === changes) return before.text;
    const all = this.#deployments.list(owner).map((record) => this.of(record));
    // Joined once: what is put together by + or a template is put together anew at each sending.
    const text = ['{"success":true,"deployments":[', all.join(), ']}'].join('');
    this.#lists.delete(owner);
    makeRoom(this.#lists, mostLists);
    this.#lists.set(owner, { changes, text });
    return text;
  }
}
