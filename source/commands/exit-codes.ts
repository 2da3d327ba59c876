/** Exit codes of every command, and the one that a failed request leads to. */
import type { ErrorCode, ServiceError } from '../client/http/errors.ts';

export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  notAllowed: 4,
  conflict: 5,
  /** The run after a restart is worse than before. */
  worse: 6,
  /** Too little was seen of the run after a restart. */
  unclear: 7,
  /** Also where the service gives no more lines before `--since`. */
  unreachable: 8,
  /** A write was sent, and no answer tells whether it succeeded. */
  unknownOutcome: 9,
  /** 128 and the number of the signal. */
  /** One look found something that needs attention. */
  alerts: 10,
  interrupted: 130,
  terminated: 143,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Exit codes with their meaning, for help and documents. */
export const exitCodeMeanings: readonly (readonly [ExitCode, string])[] = [
  [exitCodes.done, 'done'],
  [exitCodes.failed, 'failed; the reason is on stderr'],
  [exitCodes.usage, 'wrong usage, ambiguous name, or a mistake in the configuration'],
  [exitCodes.notFound, 'not found'],
  [exitCodes.notAllowed, 'not allowed: token rejected, no permission, or a read-only profile'],
  [exitCodes.conflict, 'conflict with the current state'],
  [exitCodes.worse, 'worse than before since the restart (--prove)'],
  [exitCodes.unclear, 'unclear whether it is worse since the restart (--prove)'],
  [
    exitCodes.unreachable,
    'service unreachable, no answer in time, or a log that ends before --since is reached',
  ],
  [exitCodes.unknownOutcome, 'sent, outcome unknown'],
  [exitCodes.alerts, 'something needs attention (watch --once)'],
  [exitCodes.interrupted, 'ended by SIGINT'],
  [exitCodes.terminated, 'ended by SIGTERM'],
];

const codes: Readonly<Record<ErrorCode, ExitCode>> = {
  refused: exitCodes.unreachable,
  dns: exitCodes.unreachable,
  tls: exitCodes.unreachable,
  timeout: exitCodes.unreachable,
  disconnected: exitCodes.unreachable,
  aborted: exitCodes.failed,
  ended: exitCodes.failed,
  redirected: exitCodes.failed,
  unauthorized: exitCodes.notAllowed,
  forbidden: exitCodes.notAllowed,
  'not-found': exitCodes.notFound,
  conflict: exitCodes.conflict,
  'too-large': exitCodes.failed,
  invalid: exitCodes.failed,
  'rate-limited': exitCodes.failed,
  'service-error': exitCodes.failed,
  'bad-request': exitCodes.failed,
  unreadable: exitCodes.failed,
  'wrong-shape': exitCodes.failed,
  'oversized-answer': exitCodes.failed,
  'read-only': exitCodes.notAllowed,
  local: exitCodes.failed,
};

/** Statuses of gateways that did not reach the service, or not in time (RFC 9110, 15.6). */
const gatewayStatuses = new Set([502, 503, 504]);

/** Returns the exit code of a failed request. */
export function exitCodeOf(
  error: Pick<ServiceError, 'code' | 'status' | 'unknownOutcome'>,
): ExitCode {
  if (error.unknownOutcome) return exitCodes.unknownOutcome;
  const isGateway = error.status !== undefined && gatewayStatuses.has(error.status);
  return error.code === 'service-error' && isGateway ? exitCodes.unreachable : codes[error.code];
}

/** Severity of exit codes, least first: a command on several targets ends with the worst. */
const severity: readonly ExitCode[] = [
  exitCodes.done,
  exitCodes.alerts,
  exitCodes.unclear,
  exitCodes.worse,
  exitCodes.failed,
  exitCodes.conflict,
  exitCodes.notFound,
  exitCodes.notAllowed,
  exitCodes.usage,
  exitCodes.unreachable,
  exitCodes.unknownOutcome,
  exitCodes.interrupted,
  exitCodes.terminated,
];

/** Returns the worst of several exit codes; 0 for none. */
export function worstExitCode(all: Iterable<ExitCode>): ExitCode {
  let worst: ExitCode = exitCodes.done;
  for (const code of all) {
    if (severity.indexOf(code) > severity.indexOf(worst)) worst = code;
  }
  return worst;
}
