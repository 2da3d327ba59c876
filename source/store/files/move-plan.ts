import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { FileRecord } from '../../contract/files.ts';
import { filesBelow, folderPaths, folderStart } from './targets.ts';
import { nameIn } from '../drafts/places.ts';
import { claimPaths } from './path-clash.ts';

export interface Move {
  readonly from: string;
  readonly to: string;
  /** True when the listing has a file at `to`. */
  readonly replaces: boolean;
}

export type MovePlan =
  | { readonly ok: true; readonly moves: readonly Move[] }
  | { readonly ok: false; readonly sentence: string };

/**
 * Plans a new path for each file at and below `paths`. A single path becomes `typed`, unless `typed`
 * is a folder; several paths always move into the folder `typed`. Refuses the whole move when two
 * files would get the same path.
 * @param verb names the operation in refusals; a copy is planned like a move.
 */
export function planMoves(
  rows: readonly DecodedRecord<FileRecord>[],
  paths: readonly string[],
  typed: string,
  verb: 'move' | 'copy' = 'move',
): MovePlan {
  const folder = typed.replace(/^\/+|\/+$/g, '');
  const isIntoFolder =
    paths.length > 1 || typed.endsWith('/') || folderPaths(rows).includes(`${folder}/`);
  const listed = new Set(
    filesBelow(
      rows,
      rows.map(({ value }) => value.path),
    ),
  );
  const participle = verb === 'move' ? 'moved' : 'copied';
  const findClash = claimPaths((path) => path);
  const moves: Move[] = [];
  for (const path of paths) {
    const isRename = !isIntoFolder || folder === path;
    const target = isRename ? folder : folderStart(folder) + nameIn(path);
    if (target.startsWith(`${path}/`))
      return refused(`${path} can't be ${participle} into itself.`);
    for (const from of filesBelow(rows, [path])) {
      const to = target + from.slice(path.length);
      const reason = findClash(to);
      if (reason !== undefined)
        return refused(`${from} can't be ${participle} to ${to}: ${reason}.`);
      if (from !== to) moves.push({ from, to, replaces: listed.has(to) });
    }
  }
  return moves.length === 0 ? refused('The files are already there.') : { ok: true, moves };
}

function refused(reason: string): MovePlan {
  return { ok: false, sentence: `${reason} Nothing was sent.` };
}
