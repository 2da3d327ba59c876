/** Failures of commands: a sentence, the next step, and the exit code. */
import type { ErrorCode, Result, ServiceError } from '../client/http/errors.ts';
import type { Configured } from '../config/environment.ts';
import { type ExitCode, exitCodeOf, exitCodes, worstExitCode } from './exit-codes.ts';

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

/** Ends a command: whatever runs it prints the problems, and returns the worst exit code. */
export class CommandFailure extends Error {
  /** The first problem. */
  readonly problem: CommandProblem;
  readonly problems: readonly CommandProblem[];

  constructor(problem: CommandProblem, ...others: readonly CommandProblem[]) {
    super(problem.sentence);
    this.problem = problem;
    this.problems = [problem, ...others];
  }
}

/** Resolves with the failure itself where work ends in one. */
export async function failureOr<T>(work: Promise<T>): Promise<T | CommandFailure> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof CommandFailure) return error;
    throw error;
  }
}

/** Resolves with the results of work on all items. Rejects with the problems of all that failed. */
export async function allOrFailure<T, R>(
  items: Iterable<T>,
  work: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const results: R[] = [];
  const problems: CommandProblem[] = [];
  for (const item of items) {
    const result = await failureOr(work(item));
    if (result instanceof CommandFailure) problems.push(...result.problems);
    else results.push(result);
  }
  const [first, ...others] = problems;
  if (first !== undefined) throw new CommandFailure(first, ...others);
  return results;
}

/** Resolves with the exit code of a command. @param fail prints a problem of one that failed. */
export async function exitOf(
  run: Promise<ExitCode>,
  fail: (problem: CommandProblem) => ExitCode,
): Promise<ExitCode> {
  const end = await failureOr(run);
  return end instanceof CommandFailure ? worstExitCode(end.problems.map(fail)) : end;
}

/** Returns the value of a request. Throws a {@link CommandFailure} where the request failed. */
export function requestedValue<T>(
  result: Result<T>,
  problemOf: (error: ServiceError) => CommandProblem = (error) => requestProblem(error),
): T {
  if (result.ok) return result.value;
  throw new CommandFailure(problemOf(result.error));
}

/**
 * Returns a configured value. Throws a {@link CommandFailure} for a mistake in the configuration, which
 * is a kind of wrong usage.
 */
export function configuredValue<T>(configured: Configured<T>): T {
  if (configured.ok) return configured.value;
  const { sentence, next } = configured.problem;
  throw new CommandFailure({ exit: exitCodes.usage, code: 'configuration', sentence, next });
}

/** Returns the problem of a wrong command line. */
export function usageProblem(sentence: string, next = ''): CommandProblem {
  return { exit: exitCodes.usage, code: 'usage', sentence, next };
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
