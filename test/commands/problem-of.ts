import { CommandFailure, type CommandProblem } from '../../source/commands/command-problem.ts';

/** Returns the problem that work ends in. */
export function problemOf(work: () => unknown): CommandProblem {
  try {
    work();
  } catch (error) {
    if (error instanceof CommandFailure) return error.problem;
    throw error;
  }
  throw new Error('no problem');
}
