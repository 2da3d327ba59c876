/** The flags of commands whose writes need a restart. */
import { assertProofFlags, proveFlag } from '../deployments/prove-flag.ts';
import { timeoutFlag } from '../deployments/timeout-flag.ts';
import { CommandFailure, usageProblem } from '../command-problem.ts';
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

/** Throws a {@link CommandFailure} for flags that contradict each other. */
export function assertRestartFlags(choice: RestartChoice): void {
  const { restart, wait, prove } = choice;
  if (restart === 'none' && (wait || prove)) {
    const flag = wait ? '--wait waits for' : '--prove watches';
    throw new CommandFailure(usageProblem(`${flag} a restart, and --restart none prevents it.`));
  }
  assertProofFlags(choice);
}
