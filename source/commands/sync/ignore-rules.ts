/** Rules of ignore files in a folder and in the folders above it, as git reads them. Pure. */
import ignore, { type Ignore } from 'ignore';

/** Tells which paths the ignore files of a folder and of the folders above it exclude. */
export interface IgnoreRules {
  /** Whether a path is ignored. The folders above it must not be ignored themselves. */
  ignores(path: string, isFolder: boolean): boolean;
  /** Returns the rules in a folder with an ignore file; those of deeper folders win. */
  within(folder: string, text: string): IgnoreRules;
}

/** Returns the rules of a folder without any ignore file. */
export function noIgnoreRules(): IgnoreRules {
  return rulesOf(createMatcher());
}

function createMatcher(): Ignore {
  return ignore({ ignorecase: false });
}

function rulesOf(matcher: Ignore): IgnoreRules {
  return {
    ignores: (path, isFolder) => matcher.ignores(isFolder ? `${path}/` : path),
    within: (folder, text) =>
      rulesOf(createMatcher().add(matcher).add(patternsBelow(folder, text))),
  };
}

/** Returns the patterns of an ignore file, made relative to the top folder. */
function patternsBelow(folder: string, text: string): readonly string[] {
  const lines = text.replace(/^\u{feff}/u, '').split(/\r?\n/);
  if (folder === '') return lines;
  const prefix = folder.replaceAll(/[\\*?[\]!#]/g, String.raw`\$&`);
  return lines.flatMap((line) => {
    if (line.trim() === '' || line.startsWith('#')) return [];
    const isNegated = line.startsWith('!');
    const pattern = (isNegated ? line.slice(1) : line).replace(/^\\([#!])/, '$1');
    // A slash at the beginning or in the middle binds a pattern to the folder of its file.
    const isBound = pattern.trimEnd().replace(/\/$/, '').includes('/');
    const below = isBound ? pattern.replace(/^\//, '') : `**/${pattern}`;
    return [`${isNegated ? '!' : ''}${prefix}/${below}`];
  });
}
