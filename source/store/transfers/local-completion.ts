import type { LocalFiles } from './local-files.ts';
import { parsePaths } from './pasted-paths.ts';

/** Matches the start of a path that follows another one. */
const nextPath = /(?<=[^\\]\s+)(?=\/|~(?:\/|$)|\.\.?\/|file:\/\/)/gi;

/**
 * Returns the completions of the last path in a text, with the text before it. Folders end in a
 * slash; hidden names are included only after a typed dot.
 * @param folders true to leave out files.
 */
export async function completePath(
  text: string,
  local: Pick<LocalFiles, 'home' | 'list'>,
  folders: boolean,
): Promise<readonly string[]> {
  // Quoted paths are not completed.
  if (/["']/.test(text)) return [];
  const start = [...text.matchAll(nextPath)].at(-1)?.index ?? 0;
  const typed = text.slice(start);
  if (typed === '~') return [`${text}/`];
  const folderPart = typed.slice(0, typed.lastIndexOf('/') + 1);
  const name = typed.slice(folderPart.length);
  const [folder = '.'] = parsePaths(folderPart, local.home);
  const hasPlainSpace = /(?<!\\)\s/.test(typed);
  const names = await local.list(folder);
  return names
    .filter((each) => !folders || each.endsWith('/'))
    .filter((each) => each.startsWith('.') === name.startsWith('.'))
    .map((each) => text.slice(0, start) + folderPart + (hasPlainSpace ? each : escapeName(each)));
}

/** Escapes a name for {@link parsePaths}. */
function escapeName(name: string): string {
  return name.replace(/[\s"'\\]/g, '\\$&');
}
