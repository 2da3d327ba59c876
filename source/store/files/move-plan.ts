import type { DecodedRecord } from '../../client/client.ts';
import type { FileRecord } from '../../contract/files.ts';
import { filesBelow, folderPaths, folderStart } from './targets.ts';
import { nameIn } from '../drafts/places.ts';
import { claimPaths } from './path-clash.ts';

export interface Move {
  readonly from: string;
  readonly to: string;
  /** The listing has a file at `to`. */
  readonly replaces: boolean;
}

export type MovePlan =
  | { readonly ok: true; readonly moves: readonly Move[] }
  | { readonly ok: false; readonly sentence: string };

/**
 * What moving does: each file at and below `paths` gets a new path. One path gets the typed one, or
 * goes into the folder that was typed; several go into it. Nothing is moved where two would meet.
 */
export function planMoves(
  rows: readonly DecodedRecord<FileRecord>[],
  paths: readonly string[],
  typed: string,
): MovePlan {
  const folder = typed.replace(/^\/+|\/+$/g, '');
  const isInto =
    paths.length > 1 || typed.endsWith('/') || folderPaths(rows).includes(`${folder}/`);
  const listed = new Set(
    filesBelow(
      rows,
      rows.map(({ value }) => value.path),
    ),
  );
  const clash = claimPaths((path) => path);
  const moves: Move[] = [];
  for (const path of paths) {
    const isOwn = !isInto || folder === path;
    const target = isOwn ? folder : folderStart(folder) + nameIn(path);
    if (target.startsWith(`${path}/`)) return refused(`${path} cannot go into itself.`);
    for (const from of filesBelow(rows, [path])) {
      const to = target + from.slice(path.length);
      const reason = clash(to);
      if (reason !== undefined) return refused(`${from} cannot become ${to}: ${reason}.`);
      if (from !== to) moves.push({ from, to, replaces: listed.has(to) });
    }
  }
  return moves.length === 0 ? refused('Nothing would move.') : { ok: true, moves };
}

function refused(why: string): MovePlan {
  return { ok: false, sentence: `${why} Nothing was sent.` };
}
