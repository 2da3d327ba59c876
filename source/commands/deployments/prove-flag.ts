import { type CommandProblem, usageProblem } from '../command-problem.ts';
import type { FlagSpecs } from '../table/described-command.ts';

/** The flag of commands that restart. */
export const proveFlag = {
  prove: {
    type: 'switch',
    summary: 'watch the run after the restart: 6 if it is worse than usual, 7 if that is unclear',
  },
} as const satisfies FlagSpecs;

/** Returns the problem of two flags that both watch a restart. */
export function proveWaitProblem(): CommandProblem {
  return usageProblem('--prove and --wait exclude each other.', '--prove sees crashes as well.');
}
