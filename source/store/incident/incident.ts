/** The content of an incident file: the state of a deployment, and what happened to it in a span of time. */
import type { FileRecord } from '../../contract/files.ts';
import type { LogLine } from '../../contract/logs.ts';
import type { MaskedCounts } from './masker.ts';

/** The part in `deployment.json`. Times are ISO 8601 UTC. */
export interface IncidentFacts {
  /** Version of hostdeck. */
  readonly hostdeck: string;
  readonly madeAt: string;
  /** The span of the log, by the clock of the service. */
  readonly from: string;
  readonly to: string;
  /** IANA time zone of the machine that wrote it. */
  readonly timeZone: string;
  /** Clock of the service minus that of the machine, in ms. */
  readonly clockOffset: number;
  /** Base URL of the service, without a user, a password or a query. */
  readonly baseUrl: string;
  readonly profile: string;
  readonly deploymentId: string;
  /** Its id where it has no name. */
  readonly deploymentName: string;
  /** Fields of the deployment as the service sends them, with the SDL. */
  readonly deployment: Readonly<Record<string, unknown>>;
  /** The files of each service as they were listed, without their content. */
  readonly files: Readonly<Record<string, readonly FileRecord[]>>;
  /** Edits, restarts, marks, and writes and messages of the console, oldest first. */
  readonly events: readonly IncidentEvent[];
  /** Sentences about what the file lacks. */
  readonly missing: readonly string[];
  readonly masked: MaskedCounts;
}

export interface IncidentEvent {
  /** Ms since the epoch, by the clock of the machine. */
  readonly at: number;
  readonly text: string;
}

/** The change of a file that was edited from the machine that wrote the incident. */
export interface IncidentDiff {
  readonly service: string;
  readonly path: string;
  /** Unified difference from before the first edit in the span to after the last one. */
  readonly text: string;
}

export interface Incident {
  readonly facts: IncidentFacts;
  /** Lines of all services, oldest first. */
  readonly lines: readonly LogLine[];
  /** Lines that the person marked. */
  readonly marks: readonly LogLine[];
  readonly diffs: readonly IncidentDiff[];
}

/** An edited file with the texts from which its difference is made. */
export interface EditTexts extends Omit<IncidentDiff, 'text'> {
  readonly before: string;
  readonly after: string;
}

/** An incident before its secrets are masked. */
export interface UnmaskedIncident extends Omit<Incident, 'facts' | 'diffs'> {
  readonly facts: Omit<IncidentFacts, 'masked'>;
  readonly edits: readonly EditTexts[];
}

/** The deployment and the span of an incident, and what a console knows besides the service. */
export interface IncidentSubject {
  readonly id: string;
  /** First time and `until` the time after the last one, ms since the epoch by the clock of the service. */
  readonly since: number;
  readonly until: number;
  /** Messages and writes, and the lines that the person marked; undefined without a console. */
  readonly seen?:
    | { readonly events: readonly IncidentEvent[]; readonly marks: readonly LogLine[] }
    | undefined;
}

/** An incident with the bytes of its file; the problem is undefined where a signal ended the collecting. */
export type CollectedIncident<Problem> =
  | {
      readonly ok: true;
      readonly incident: Incident;
      readonly bytes: Uint8Array;
      /** True when the log could not be read back to the first time. */
      readonly isShort: boolean;
    }
  | { readonly ok: false; readonly problem: Problem | undefined };

/** Collects an incident for the console, its secrets masked. */
export type IncidentMaker = (
  subject: IncidentSubject & { readonly signal: AbortSignal },
) => Promise<CollectedIncident<{ readonly sentence: string; readonly next: string }>>;
