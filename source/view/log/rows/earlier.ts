import type { ServiceError } from '../../../client/http/errors.ts';
import type { LogsState } from '../../../store/log/feed/log-source.ts';
import { keyName } from '../../../store/prompts/key-names.ts';
import { type Line, span } from '../../text/line.ts';
import { errorLines } from '../../text/notice.ts';

type EarlierState = Pick<LogsState, 'connection' | 'ready' | 'older' | 'olderError'>;

/** Returns the notice of a log that has stopped: why, or that it is complete. */
export function stoppedLines(
  error: ServiceError | undefined,
  name: string,
  closedAt: string | undefined,
): readonly Line[] {
  if (error === undefined) return [];
  if (error.code !== 'ended') return errorLines(error);
  const complete = `${name} was closed at ${closedAt}. This log is complete.`;
  return [[span(closedAt === undefined ? error.sentence : complete, 'quiet')]];
}

/**
 * Returns the notice of an empty log: its error, or what is known of its lines.
 * @param closedAt when the deployment was closed, as the log shows times; undefined while it is open.
 */
export function emptyLines(
  state: Omit<EarlierState, 'older'>,
  name: string,
  closedAt?: string,
): readonly Line[] {
  const { connection, ready, olderError } = state;
  switch (connection.kind) {
    case 'stopped':
      return stoppedLines(connection.error, name, closedAt);
    case 'retrying':
    case 'connecting':
      return connection.error === undefined ? [] : errorLines(connection.error);
    case 'live':
    case 'polling':
      break;
    default:
      return connection satisfies never;
  }
  const following = span('New lines appear here.', 'quiet');
  if (olderError !== undefined) {
    const { sentence, errorMessage } = olderError;
    return [
      [
        span(
          `Earlier lines could not be fetched. ${keyName('log.fill-gaps', 'R')} retries.`,
          'bad',
        ),
      ],
      [span(sentence)],
      ...(errorMessage === undefined ? [] : [[span(errorMessage, 'quiet')]]),
      [following],
    ];
  }
  if (!ready) return [[span('Earlier lines are being fetched...', 'quiet')], [following]];
  return [[span(`No lines yet from ${name}. Following.`, 'quiet')]];
}

/**
 * Returns the row above the oldest line while earlier ones are fetched for the first time, could not
 * be, may match the filters, or have no room in memory; undefined otherwise.
 */
export function earlierRow(
  { connection, ready, older, olderError }: EarlierState,
  hasFilter = false,
): Line | undefined {
  if (olderError !== undefined) {
    const text = `earlier lines could not be fetched: ${reasonOf(olderError)}. ${keyName('log.fill-gaps', 'R')} retries`;
    return [span(` -- ${text} --`, 'bad')];
  }
  if (ready && hasFilter && (older === 'more' || older === 'full'))
    return [span(' -- Up: search older lines --', 'busy')];
  if (ready && older === 'full') return [span(' -- Up: read older lines --', 'busy')];
  // While a gap is filled, the log is not ready, but its first line may be there.
  if (ready || older === 'none' || connection.kind !== 'live') return undefined;
  return [span(' -- fetching earlier lines... --', 'busy')];
}

function reasonOf({ code, status }: ServiceError): string {
  if (code === 'unreadable' || code === 'wrong-shape') return 'unreadable answer';
  return status === undefined ? 'no answer' : `HTTP ${status}`;
}
