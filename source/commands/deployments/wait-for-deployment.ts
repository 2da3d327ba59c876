/** Waits until a deployment has settled in a state, and prints its last log lines. */
import { PassThrough } from 'node:stream';
import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { Deployment } from '../../contract/deployments.ts';
import { conditionOf } from '../../store/alerts/condition.ts';
import { type CommandProblem, failureProblem, requestProblem } from '../command-problem.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { createLineFormat } from '../logs/line-format.ts';
import { runLogs } from '../logs/run-logs.ts';
import { isPassing } from '../passing-errors.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';
import {
  observeSteadiness,
  showsRestart,
  type Steadiness,
  type WaitedState,
  waitStep,
} from './deployment-goal.ts';

/** Milliseconds between two requests. */
const pollInterval = 500;

/** Milliseconds to wait where no other time was given. */
const defaultTimeout = 300_000;

/** Lines of the log to print at the end. */
const lastLines = 10;

/** Milliseconds for the log at the end. */
const logTimeout = 5000;

export interface WaitOptions {
  readonly id: string;
  /** Name for messages. */
  readonly label: string;
  readonly wanted?: WaitedState | undefined;
  /** Milliseconds; 0 without a limit. */
  readonly timeout?: number | undefined;
  /** The deployment before a restart, whose end is waited for. */
  readonly before?: Deployment | undefined;
}

/** The end of waiting: the deployment, and the problem where it is not as wanted. */
export interface WaitEnd {
  readonly read?: DecodedRecord<Deployment> | undefined;
  readonly problem?: CommandProblem | undefined;
}

/** Requests the deployment until it has settled, or until the time is over. */
async function waitForDeployment(
  { client, clock, signal, output }: ServiceCommandContext,
  { id, label, wanted, timeout = defaultTimeout, before }: WaitOptions,
): Promise<WaitEnd> {
  const until = timeout === 0 ? Number.POSITIVE_INFINITY : clock.now() + timeout;
  let hasNoted = false;
  let steadiness: Steadiness | undefined;
  for (;;) {
    const got = await client.deployments.get(id, signal);
    if (got.ok) {
      const read = got.value;
      const step = waitStep(read.value, wanted);
      const isOld = before !== undefined && !showsRestart(before, read.value);
      if (step.kind === 'reached' && !isOld) {
        if (step.state !== 'active') return { read };
        const { rolledBack } = read.value;
        if (before !== undefined && rolledBack !== undefined) {
          return { read, problem: undoneProblem(label, rolledBack.reason) };
        }
        const now = clock.now() + client.clockOffset();
        const observed = observeSteadiness(steadiness, read.value, now);
        if (observed.isSteady) return { read };
        steadiness = observed;
      } else steadiness = undefined;
      if (step.kind === 'missed' && !isOld) return { read, problem: missedProblem(read, label) };
      if (step.kind === 'untold') return { read, problem: untoldProblem(label) };
    } else {
      const { error } = got;
      if (wanted === 'closed' && error.code === 'not-found') return {};
      if (!isPassing(error)) return { problem: requestProblem(error) };
      if (!hasNoted) output.note(`${error.sentence} Still waiting.`);
      hasNoted = true;
    }
    if (clock.now() + pollInterval > until) return { problem: timeoutProblem(label, wanted) };
    await pause(clock, signal);
    if (signal.aborted) return { problem: failureProblem('Interrupted.', '', 'aborted') };
  }
}

function pause(clock: ServiceCommandContext['clock'], signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      signal.removeEventListener('abort', done);
      cancel();
      resolve();
    };
    const cancel = clock.after(pollInterval, done);
    signal.addEventListener('abort', done);
  });
}

function missedProblem({ value }: DecodedRecord<Deployment>, label: string): CommandProblem {
  const { word, exitCode } = conditionOf(value, false, undefined);
  const exit = exitCode === undefined ? '' : ` (exit ${exitCode})`;
  return failureProblem(
    `${label} is ${word === '' ? 'not active' : word}${exit}.`,
    `hostdeck logs ${label} shows its log.`,
    'not-active',
  );
}

function undoneProblem(label: string, reason: string): CommandProblem {
  return failureProblem(
    `The restart of ${label} was undone, and the version before runs: ${reason}.`,
    `hostdeck logs ${label} shows its log.`,
    'rolled-back',
  );
}

function untoldProblem(label: string): CommandProblem {
  return failureProblem(
    `The service does not tell the state of ${label}, so nothing can be waited for.`,
    '',
    'state-unknown',
  );
}

function timeoutProblem(label: string, wanted: WaitedState | undefined): CommandProblem {
  return {
    exit: exitCodes.unreachable,
    code: 'timeout',
    sentence: `${label} is not ${wanted ?? 'active'} yet.`,
    next: '--timeout waits longer.',
  };
}

/** Returns the last lines of the log as text; none where it can't be read. */
async function lastLogLines(
  { client, clock, signal }: ServiceCommandContext,
  id: string,
): Promise<readonly string[]> {
  const format = createLineFormat({ form: 'text', id, now: () => clock.now() });
  const stdout = new PassThrough();
  const chunks: Buffer[] = [];
  stdout.on('data', (chunk: Buffer) => chunks.push(Buffer.from(chunk)));
  const exit = await runLogs({
    client,
    clock,
    random: Math.random,
    targets: [{ id, format }],
    limit: lastLines,
    follow: false,
    stdout,
    note: () => {},
    fail: ({ exit }) => exit,
    signal: AbortSignal.any([signal, AbortSignal.timeout(logTimeout)]),
  });
  const text = Buffer.concat(chunks).toString();
  // The lines that could be read may not be the last ones.
  return text === '' || exit === exitCodes.unreachable
    ? []
    : text.trimEnd().split('\n').slice(-lastLines);
}

/** Waits for a deployment and prints how it ended. Returns the exit code. */
export async function reportWait(
  context: ServiceCommandContext,
  options: WaitOptions,
): Promise<ExitCode> {
  const { output, options: flags } = context;
  const { label, id, wanted = 'active' } = options;
  const { read, problem } = await waitForDeployment(context, options);
  const isClosed = read === undefined || problem?.code === 'state-unknown';
  const log = flags.quiet || isClosed ? [] : await lastLogLines(context, id);
  const { word = '' } = read === undefined ? {} : conditionOf(read.value, false, undefined);
  const state = word === '' ? (problem === undefined ? wanted : undefined) : word;
  await output.result([...log, ...(problem === undefined ? [`${label} is ${state}.`] : [])], {
    id,
    ...(read?.value.name !== undefined && { name: read.value.name }),
    ...(state !== undefined && { state }),
    log,
  });
  return problem === undefined ? exitCodes.done : output.fail(problem);
}
