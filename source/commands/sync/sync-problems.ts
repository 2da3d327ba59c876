/** Words the problems of a sync. Pure. */
import { type CommandProblem, failureProblem } from '../command-problem.ts';
import { exitCodes } from '../exit-codes.ts';
import { type NamedService, nextCommand } from '../output/next-command.ts';
import { fileCount } from './plan-records.ts';
import type { SyncConflict } from './plan-sync.ts';
import type { SyncFailure } from './send-sync.ts';

function detailsOf(files: readonly (SyncConflict | SyncFailure)[]): readonly string[] {
  return files.map(({ path, reason }) => `${path}: ${reason}`);
}

/**
 * Returns the problem of files that someone else changed.
 * @param place the service, such as `shop/web`, for the commands that resolve a conflict.
 */
export function foreignChangesProblem(
  conflicts: readonly SyncConflict[],
  place: string,
  context: NamedService,
): CommandProblem {
  return {
    exit: exitCodes.conflict,
    code: 'conflict',
    sentence: `${fileCount(conflicts.length)} in conflict, left as on the service.`,
    next: `${nextCommand(context, `files get ${place}:PATH`)} takes a file over, hostdeck files put replaces it.`,
    details: detailsOf(conflicts),
  };
}

/** Returns the problem of files that could not be sent or read. */
export function filesProblem(failures: readonly SyncFailure[]): CommandProblem {
  const sentence = `${fileCount(failures.length)} not synced.`;
  return { ...failureProblem(sentence, '', 'not-synced'), details: detailsOf(failures) };
}
