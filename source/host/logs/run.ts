/** Lines of one service and stream that came at the same moment: what is stored together. */
export interface LogRun {
  /** Number of the deployment. */
  readonly deployment: number;
  /** Id of the first line; the others follow it without holes. */
  readonly first: number;
  readonly count: number;
  readonly service: string;
  readonly stream: string;
  /** Of the process, where the service has several. */
  readonly instance?: number | undefined;
  /** ms since the epoch. */
  readonly at: number;
  /** The lines, a newline between each two. No line has one in it. */
  readonly text: string;
}

/** Names a deployment to its log: the short key of its lines, and its id. */
export interface LogOwner {
  readonly number: number;
  readonly id: string;
}

export interface Selection {
  readonly limit: number;
  /** Newest lines to skip. */
  readonly offset: number;
  readonly service?: string | undefined;
  /** Case-insensitive; empty for all. */
  readonly search?: string | undefined;
}

/** What the messages of all lines of a run have in common. */
export interface MessageForm {
  readonly beforeLine: string;
  readonly afterLine: string;
}

/** The form of the contract's `LogMessage`, over HTTP and on the stream alike. */
export function messageForm(
  deploymentId: string,
  { service, stream, at, instance }: Pick<LogRun, 'service' | 'stream' | 'at' | 'instance'>,
): MessageForm {
  const timestamp = new Date(at).toISOString();
  const before = JSON.stringify({ deploymentId, serviceName: service, timestamp });
  const after = JSON.stringify({ stream, instance });
  return {
    beforeLine: `,${before.slice(1, -1)},"logLine":`,
    afterLine: `,${after.slice(1)}`,
  };
}

/** One line as JSON. */
export function messageJson({ beforeLine, afterLine }: MessageForm, id: number, line: string) {
  return `{"type":"log","id":${id}${beforeLine}${JSON.stringify(line)}${afterLine}`;
}
