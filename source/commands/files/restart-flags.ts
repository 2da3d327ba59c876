/** The flags of commands whose writes need a restart. */
import { proveFlag, proveWaitProblem, restoreProblem } from '../deployments/prove-flag.ts';
import { timeoutFlag } from '../deployments/timeout-flag.ts';
import { type CommandProblem, usageProblem } from '../command-problem.ts';
import type { FlagSpecs } from '../table/described-command.ts';

export const restartFlags = {
  restart: {
    type: 'value',
    value: 'WHEN',
    choices: ['now', 'none'],
    summary: 'restart the deployment after the last write: now (default), or none',
  },
  wait: {
    type: 'switch',
    summary: 'wait until it is active or has failed, and print the last lines of its log',
  },
  ...proveFlag,
  ...timeoutFlag,
} as const satisfies FlagSpecs;

/** The values of {@link restartFlags}. */
export interface RestartChoice {
  readonly restart: 'now' | 'none' | undefined;
  readonly wait: boolean;
  readonly prove: boolean;
  /** Only of commands that keep what they replace. */
  readonly 'auto-restore'?: boolean;
  /** Milliseconds. */
  readonly timeout: number | undefined;
}

/** Returns why the flags contradict each other. */
export function restartFlagProblem(choice: RestartChoice): CommandProblem | undefined {
  const { restart, wait, prove } = choice;
  if (restart === 'none' && wait) {
    return usageProblem('--wait waits for a restart, and --restart none prevents it.');
  }
  if (restart === 'none' && prove) {
    return usageProblem('--prove watches a restart, and --restart none prevents it.');
  }
  return wait && prove ? proveWaitProblem() : restoreProblem(choice);
}
