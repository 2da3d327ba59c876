/** Decides to which paths of a service local files go. Pure. */
import path from 'node:path';
import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { FileRecord } from '../../contract/files.ts';
import { claimPaths } from '../../store/files/path-clash.ts';
import { CommandFailure, usageProblem } from '../command-problem.ts';
import { assertPath } from './find-file.ts';
import { isListedFolder } from './path-state.ts';

/** A local file, `-` for stdin, and its path in the service. */
export interface PutItem {
  readonly local: string;
  readonly path: string;
}

export interface PutWords {
  readonly locals: readonly string[];
  /** Path of the target as typed; a trailing slash makes it a folder, and empty is the root. */
  readonly target: string;
  readonly listed: readonly DecodedRecord<FileRecord>[];
}

/**
 * Plans an upload. Throws a {@link CommandFailure} for several files without a folder, for stdin
 * without the path of a file, and for paths that clash or can't be requested.
 */
export function planPut({ locals, target, listed }: PutWords): readonly PutItem[] {
  const folder = target.replace(/\/$/, '');
  const isFolder = folder !== target || folder === '' || isListedFolder(listed, folder);
  if (locals.includes('-')) {
    if (locals.length > 1) throw failed('stdin (-) goes to one file alone.');
    if (isFolder) {
      throw failed(`${shownFolder(folder)} is a folder, and stdin (-) has no name.`, namedNext);
    }
  }
  if (locals.length > 1 && !isFolder) {
    throw failed(`Several files need a folder, and ${target} is none.`, `For example: ${target}/`);
  }
  const claim = claimPaths((each) => each);
  const items: PutItem[] = [];
  for (const local of locals) {
    const name = path.basename(path.resolve(local));
    const to = !isFolder ? target : folder === '' ? name : `${folder}/${name}`;
    assertPath(to);
    const clash = claim(to);
    if (clash !== undefined) throw failed(`${local} can't go to ${to}: ${clash}.`);
    items.push({ local, path: to });
  }
  return items;
}

const namedNext = 'Give the path of a file.';

function shownFolder(folder: string): string {
  return folder === '' ? 'The target' : folder;
}

function failed(sentence: string, next = ''): CommandFailure {
  return new CommandFailure(usageProblem(sentence, next));
}
