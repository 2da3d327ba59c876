/** The flags of commands whose writes need a restart. */
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
  ...timeoutFlag,
} as const satisfies FlagSpecs;

/** The values of {@link restartFlags}. */
export interface RestartChoice {
  readonly restart: 'now' | 'none' | undefined;
  readonly wait: boolean;
  /** Milliseconds. */
  readonly timeout: number | undefined;
}

/** Returns why the flags contradict each other. */
export function restartFlagProblem({ restart, wait }: RestartChoice): CommandProblem | undefined {
  return restart === 'none' && wait
    ? usageProblem('--wait waits for a restart, and --restart none prevents it.')
    : undefined;
}
