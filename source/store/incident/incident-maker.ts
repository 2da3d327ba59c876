/** The part of the program that collects incidents for the console. */
import type { LogLine } from '../../contract/logs.ts';
import type { Incident, IncidentHistory } from './incident.ts';

/** Facts of a console that no service tells. */
export interface SeenByConsole {
  readonly history: readonly IncidentHistory[];
  /** Lines that the person marked. */
  readonly marks: readonly LogLine[];
}

export interface IncidentRequest extends SeenByConsole {
  readonly deploymentId: string;
  /** First time and `until` the time after the last one, ms since the epoch by the clock of the service. */
  readonly since: number;
  readonly until: number;
  readonly signal: AbortSignal;
}

export type CollectedIncident =
  | { readonly ok: true; readonly incident: Incident }
  | { readonly ok: false; readonly sentence: string };

export interface IncidentMaker {
  /** Reads from the service and from this machine. Resolves with the incident, its secrets masked. */
  collect(request: IncidentRequest): Promise<CollectedIncident>;
  /** Resolves with the bytes of its file. */
  pack(incident: Incident): Promise<Uint8Array>;
}
