import type { DeploymentRecord } from '../deployments.ts';
import type { DeploymentStatus, Supervisor } from '../supervisor/supervisor.ts';

interface Written {
  readonly state: DeploymentStatus['state'];
  readonly services: DeploymentStatus['services'];
  readonly text: string;
}

/**
 * Deployments as JSON. Lists of them are asked for every few seconds by everyone who watches, and
 * hardly anything of them changes in between: what does not is written once.
 */
export class DeploymentTexts {
  readonly #supervisor: Supervisor;
  readonly #written = new WeakMap<DeploymentRecord, Written>();

  constructor(supervisor: Supervisor) {
    this.#supervisor = supervisor;
  }

  /** The deployment as it is now. */
  of(record: DeploymentRecord): string {
    const status = this.#supervisor.status(record);
    const { state, services } = status;
    const before = this.#written.get(record);
    // All else is of the record, of which there is another one after each change.
    const isSame =
      before?.state === state &&
      before.services.length === services.length &&
      services.every((service, index) => service === before.services[index]);
    if (isSame) return before.text;
    const text = JSON.stringify(status);
    this.#written.set(record, { state, services, text });
    return text;
  }
}
