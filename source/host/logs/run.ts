/** A part of a line that was too long; the rest follows as the next line. */
export class CutLine {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A line of a service's output. */
export type OutputLine = string | CutLine;

/** A line with the time of its source. */
export interface TimedLine {
  readonly line: OutputLine;
  /** RFC 3339 with nanoseconds in UTC. */
  readonly at: string;
}

export function outputText(line: OutputLine): string {
  return typeof line === 'string' ? line : line.text;
}

/** A place in the output of a source that can be read again. */
export interface LogCursor {
  /** Id of the source, unique among those of the host. */
  readonly source: string;
  /** RFC 3339 time with nanoseconds in UTC, which the source has for its newest line that is read. */
  readonly at: string;
}

/** A place that was stored in the output of a source, and whose lines came with it. */
export interface StoredCursor extends Pick<LogCursor, 'at'> {
  /** Number of the deployment. */
  readonly deployment: number;
  /** Undefined for places from before services were stored with them. */
  readonly service: string | undefined;
  /** Number of the instance, when the service has several. */
  readonly instance: number | undefined;
}

/** Lines of one service and stream that arrived at the same time; the unit of storage. */
export interface LogRun {
  /** Number of the deployment. */
  readonly deployment: number;
  /** Id of the first line; the others follow it without holes. */
  readonly first: number;
  readonly count: number;
  readonly service: string;
  readonly stream: string;
  /** Number of the instance, when the service has several. */
  readonly instance?: number | undefined;
  /** Time of arrival in ms since the epoch. */
  readonly at: number;
  /** True for a single line that was cut and goes on in the next one of its stream. */
  readonly partial?: true | undefined;
  /** The lines, separated by newlines. */
  readonly text: string;
  /** Stored with the lines, so that a kill of the host neither loses nor repeats one. */
  readonly cursor?: LogCursor | undefined;
}

/** The deployment of a log: the number that its lines are stored under, and its id. */
export interface LogOwner {
  readonly number: number;
  readonly id: string;
}

export interface LogSelection {
  readonly limit: number;
  /** Newest lines to skip. */
  readonly offset: number;
  readonly service?: string | undefined;
  /** Case-insensitive; empty for all. */
  readonly search?: string | undefined;
}

/** The parts of a message that all lines of a run have in common. */
export interface MessageTemplate {
  readonly beforeLine: string;
  readonly afterLine: string;
}

/** Returns the common parts of the contract's `LogMessage`, for HTTP and the stream. */
export function messageTemplate(
  deploymentId: string,
  {
    service,
    stream,
    at,
    instance,
    partial,
  }: Pick<LogRun, 'service' | 'stream' | 'at' | 'instance' | 'partial'>,
): MessageTemplate {
  const timestamp = new Date(at).toISOString();
  const before = JSON.stringify({ deploymentId, serviceName: service, timestamp });
  const after = JSON.stringify({ stream, instance, partial });
  return {
    beforeLine: `,${before.slice(1, -1)},"logLine":`,
    afterLine: `,${after.slice(1)}`,
  };
}

/** Returns the message of a line as JSON. */
export function messageJson({ beforeLine, afterLine }: MessageTemplate, id: number, line: string) {
  return `{"type":"log","id":${id}${beforeLine}${JSON.stringify(line)}${afterLine}`;
}
