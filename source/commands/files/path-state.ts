/** Tells whether a path of a service may be written. */
import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { ErrorCode } from '../../client/http/errors.ts';
import type { FileRecord } from '../../contract/files.ts';
import { presenceIn } from '../../store/files/path-presence.ts';
import { CommandFailure, type CommandProblem } from '../command-problem.ts';
import { exitCodes } from '../exit-codes.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';
import { fileProblem, type FileTarget } from './find-file.ts';

type Listed = readonly DecodedRecord<FileRecord>[];

/** Whether a path is free, or a file is there. */
export type PathState = 'free' | 'file';

/** Errors of files that are too large to be read, so that they exist. */
const tooLarge: ReadonlySet<ErrorCode> = new Set(['oversized-answer', 'too-large']);

/**
 * Finds out whether a path is free, by the list and by a request, since a list may omit files. Rejects
 * with a {@link CommandFailure} where the path can't be a file, or that can't be known.
 */
export async function pathState(
  context: Pick<ServiceCommandContext, 'client' | 'signal' | 'service'>,
  target: FileTarget,
  listed: Listed,
): Promise<PathState> {
  const { client, signal } = context;
  const state = listedState(listed, target);
  if (state !== 'free') return state;
  const { place, path } = target;
  const got = await client.files.get(place.deployment.id, place.service, path, signal);
  if (got.ok || tooLarge.has(got.error.code)) return 'file';
  if (got.error.code === 'not-found') return 'free';
  throw new CommandFailure(fileProblem(context, target, got.error));
}

/** Returns the state of a path by the list alone. Throws like {@link pathState}. */
export function listedState(listed: Listed, target: FileTarget): PathState {
  const presence = presenceIn(listed, target.path);
  if (presence.kind !== 'blocked') return presence.kind;
  const { sentence, next } = presence.refusal;
  throw new CommandFailure(conflictProblem(`${target.label}: ${sentence}`, next));
}

/** Returns the problem of a file that conflicts with what the service has. */
export function conflictProblem(sentence: string, next: string): CommandProblem {
  return { exit: exitCodes.conflict, code: 'conflict', sentence, next };
}

/** Whether the list has a folder at a path; a file with the same path comes first. */
export function isListedFolder(listed: Listed, path: string): boolean {
  let isFolder = false;
  for (const { value } of listed) {
    if (value.path === path && value.directory !== true) return false;
    if (value.path === path || value.path.startsWith(`${path}/`)) isFolder = true;
  }
  return isFolder;
}
