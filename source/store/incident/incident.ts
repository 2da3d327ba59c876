/** The content of an incident file: the state of a deployment, and what happened to it in a span of time. */
import type { FileRecord } from '../../contract/files.ts';
import type { LogLine } from '../../contract/logs.ts';
import type { TrashedFile } from '../drafts/trash.ts';
import type { MessageEntry, WriteEntry } from '../history/history.ts';
import type { MaskedCounts } from './masker.ts';

/** Version of the format. A file with a greater one is refused; fields and kinds may be added without one. */
export const incidentVersion = 1;

/** Origin of an incident: the service, the span and the program. Times are ISO 8601 UTC. */
export interface IncidentHeader {
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
  readonly deploymentName?: string | undefined;
}

/** A file of a service as it was listed, without its content. */
export interface IncidentFile extends FileRecord {
  readonly service: string;
}

/** A change of a file that was made from the machine that wrote the incident. */
export interface IncidentEdit {
  /** Ms since the epoch, by the clock of the machine. */
  readonly at: number;
  readonly service: string;
  readonly path: string;
  readonly reason: TrashedFile['reason'];
  readonly movedTo?: string | undefined;
  /** Unified difference without its lines of file names; undefined where a text is missing. */
  readonly diff?: string | undefined;
}

export interface IncidentRestart {
  /** Ms since the epoch, by the clock of the service. */
  readonly at: number;
  /** True where the service told the restart; else it was requested from the machine. */
  readonly isReported: boolean;
  /** The judgement of the run after it, where there is one. */
  readonly verdict?: { readonly kind: string; readonly sentence: string } | undefined;
}

/** A write or message of the console. */
export type IncidentHistory = Omit<WriteEntry, 'id'> | Omit<MessageEntry, 'id'>;

export interface Incident {
  readonly header: IncidentHeader;
  /** Fields of the deployment as the service tells them, with the SDL; undefined where it told none. */
  readonly deployment: Readonly<Record<string, unknown>> | undefined;
  /** Sentences about what the file lacks. */
  readonly missing: readonly string[];
  readonly masked: MaskedCounts;
  readonly files: readonly IncidentFile[];
  readonly edits: readonly IncidentEdit[];
  readonly restarts: readonly IncidentRestart[];
  readonly history: readonly IncidentHistory[];
  /** Lines that the person marked. */
  readonly marks: readonly LogLine[];
  /** Lines of all services, oldest first. */
  readonly lines: readonly LogLine[];
}

/** An edit with its texts, from which the difference is made. */
export interface EditTexts extends Omit<IncidentEdit, 'diff'> {
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}

/** An incident before its secrets are masked. */
export interface UnmaskedIncident extends Omit<Incident, 'masked' | 'edits'> {
  readonly edits: readonly EditTexts[];
}
