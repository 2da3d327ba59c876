/** Decides to which paths of a service local files go. Pure. */
import path from 'node:path';
import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { FileRecord } from '../../contract/files.ts';
import { claimPaths } from '../../store/files/path-clash.ts';
import { type CommandProblem, usageProblem } from '../command-problem.ts';
import { pathProblem } from './find-file.ts';
import { isListedFolder } from './path-state.ts';

/** A local file, `-` for stdin, and its path in the service. */
export interface PutItem {
  readonly local: string;
  readonly path: string;
}

export type PutPlan =
  | { readonly ok: true; readonly items: readonly PutItem[] }
  | { readonly ok: false; readonly problem: CommandProblem };

export interface PutWords {
  readonly locals: readonly string[];
  /** Path of the target as typed; a trailing slash makes it a folder, and empty is the root. */
  readonly target: string;
  readonly listed: readonly DecodedRecord<FileRecord>[];
}

/** Plans an upload. Several files need a folder, and stdin needs the path of a file. */
export function planPut({ locals, target, listed }: PutWords): PutPlan {
  const folder = target.replace(/\/$/, '');
  const isFolder = folder !== target || folder === '' || isListedFolder(listed, folder);
  if (locals.includes('-')) {
    if (locals.length > 1) return failed('stdin (-) goes to one file alone.');
    if (isFolder) {
      return failed(`${shownFolder(folder)} is a folder, and stdin (-) has no name.`, namedNext);
    }
  }
  if (locals.length > 1 && !isFolder) {
    return failed(`Several files need a folder, and ${target} is none.`, `For example: ${target}/`);
  }
  const claim = claimPaths((each) => each);
  const items: PutItem[] = [];
  for (const local of locals) {
    const name = path.basename(path.resolve(local));
    const to = !isFolder ? target : folder === '' ? name : `${folder}/${name}`;
    const problem = pathProblem(to);
    if (problem !== undefined) return { ok: false, problem };
    const clash = claim(to);
    if (clash !== undefined) return failed(`${local} can't go to ${to}: ${clash}.`);
    items.push({ local, path: to });
  }
  return { ok: true, items };
}

const namedNext = 'Give the path of a file.';

function shownFolder(folder: string): string {
  return folder === '' ? 'The target' : folder;
}

function failed(sentence: string, next = ''): PutPlan {
  return { ok: false, problem: usageProblem(sentence, next) };
}
