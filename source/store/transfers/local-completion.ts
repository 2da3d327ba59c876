import type { LocalFiles } from './local-files.ts';
import { parsePaths } from './pasted-paths.ts';

/** Where a path begins that follows another in what was typed. */
const next = /(?<=[^\\]\s+)(?=\/|~(?:\/|$)|\.\.?\/|file:\/\/)/gi;

/**
 * What the last path of the text may become, with the text before it. Folders end in a slash, and
 * names that begin with a dot only come where one was typed.
 * @param folders leaves files out.
 */
export async function completePath(
  text: string,
  local: Pick<LocalFiles, 'home' | 'list'>,
  folders: boolean,
): Promise<readonly string[]> {
  // Nothing may follow a quote but what closes it.
  if (/["']/.test(text)) return [];
  const start = [...text.matchAll(next)].at(-1)?.index ?? 0;
  const typed = text.slice(start);
  if (typed === '~') return [`${text}/`];
  const above = typed.slice(0, typed.lastIndexOf('/') + 1);
  const name = typed.slice(above.length);
  const [folder = '.'] = parsePaths(above, local.home);
  const isPlain = /(?<!\\)\s/.test(typed);
  const names = await local.list(folder);
  return names
    .filter((each) => !folders || each.endsWith('/'))
    .filter((each) => each.startsWith('.') === name.startsWith('.'))
    .map((each) => text.slice(0, start) + above + (isPlain ? each : escaped(each)));
}

/** A name as {@link parsePaths} reads it in a text. */
function escaped(name: string): string {
  return name.replace(/[\s"'\\]/g, '\\$&');
}
