/** Failures of commands as values: a sentence, the next step, and the exit code. */
import type { ErrorCode, ServiceError } from '../client/http/errors.ts';
import type { ConfigProblem } from '../config/environment.ts';
import { type ExitCode, exitCodeOf, exitCodes } from './exit-codes.ts';

/** A deployment, grant or file that an ambiguous name may refer to. */
export interface Candidate {
  readonly id: string;
  readonly name?: string | undefined;
}

/** The reason why a command failed. Text from the service is unsanitised. */
export interface CommandProblem {
  readonly exit: ExitCode;
  /** Word for programs, such as `usage` or `not-found`. */
  readonly code: string;
  readonly sentence: string;
  /** Next step for a person; empty where there is none. */
  readonly next: string;
  /** HTTP status, where there was an answer. */
  readonly status?: number | undefined;
  /** Lines of details: errors of fields, messages of the service. */
  readonly details?: readonly string[] | undefined;
  readonly candidates?: readonly Candidate[] | undefined;
}

/** Returns the problem of a wrong command line. */
export function usageProblem(sentence: string, next = ''): CommandProblem {
  return { exit: exitCodes.usage, code: 'usage', sentence, next };
}

/** Returns the problem of a mistake in the configuration, which is a kind of wrong usage. */
export function configurationProblem({ sentence, next }: ConfigProblem): CommandProblem {
  return { exit: exitCodes.usage, code: 'configuration', sentence, next };
}

/** Returns the problem of a failure on this machine, or of a result that is not as wanted. */
export function failureProblem(sentence: string, next = '', code = 'failed'): CommandProblem {
  return { exit: exitCodes.failed, code, sentence, next };
}

/** Returns the problem of a name that matches nothing. */
export function notFoundProblem(sentence: string, next = ''): CommandProblem {
  return { exit: exitCodes.notFound, code: 'not-found', sentence, next };
}

/** Next steps in a shell, in place of those that name keys of the console. */
const shellSteps: Partial<Record<ErrorCode, string>> = {
  'read-only': 'Use another profile, or remove readOnly from this one.',
  unauthorized: 'Use another token: HOSTDECK_TOKEN, or the tokenFile of the profile.',
};

/**
 * Returns the problem of a failed request.
 * @param check command that shows whether a write without an answer succeeded.
 */
export function requestProblem(
  error: ServiceError,
  check = 'hostdeck deployments list',
): CommandProblem {
  const { code, sentence, status, unknownOutcome, errorMessage, errorDetails = [] } = error;
  const next = unknownOutcome ? `${check} shows whether it did.` : (shellSteps[code] ?? error.next);
  const details = errorDetails.map(({ field, message, line, column }) => {
    const place =
      line === undefined ? [] : [`line ${line}${column === undefined ? '' : `, column ${column}`}`];
    return [...place, ...(field === undefined ? [] : [field]), message].join(': ');
  });
  return {
    exit: exitCodeOf(error),
    code: unknownOutcome ? 'unknown-outcome' : code,
    sentence,
    next,
    status,
    details: details.length > 0 || errorMessage === undefined ? details : [errorMessage],
  };
}
