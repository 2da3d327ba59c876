import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

export const root = path.resolve(import.meta.dirname, '../..');

/** One import or re-export of a file. */
export interface Import {
  readonly from: string;
  /** The specifier as written, or for local files the path below the root. */
  readonly to: string;
  readonly typeOnly: boolean;
  /** Whether the statement re-exports. */
  readonly isReExport: boolean;
  /** Whether it loads the module only when it runs. */
  readonly isDynamic: boolean;
}

/** Returns the files below a folder of the repository, as paths below its root. */
export function filesBelow(folder: string): readonly string[] {
  return readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .sort();
}

export function textOf(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}

export function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[^]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '$1');
}

/** Returns all imports of a file: static ones and re-exports begin a line, dynamic ones stand anywhere. */
export function importsOf(file: string, text: string): readonly Import[] {
  const code = withoutComments(text);
  const statements = [
    ...code.matchAll(/^(import|export)( type)?\b(?:[^;'"]*?\bfrom)?\s*['"]([^'"]+)['"]/gm),
  ].map(([, keyword, type, to = '']) => ({
    to,
    typeOnly: type !== undefined,
    isReExport: keyword === 'export',
    isDynamic: false,
  }));
  const dynamic = [...code.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g)].map(([, to = '']) => ({
    to,
    typeOnly: false,
    isReExport: false,
    isDynamic: true,
  }));
  return [...statements, ...dynamic].map(({ to, typeOnly, isReExport, isDynamic }) => ({
    from: file,
    to: to.startsWith('.') ? path.join(path.dirname(file), to) : to,
    typeOnly,
    isReExport,
    isDynamic,
  }));
}

/** Every module of source/. */
export const sources = filesBelow('source').filter((file) => /\.tsx?$/.test(file));

export const tests = filesBelow('test');

export const imports = sources.flatMap((file) => importsOf(file, textOf(file)));

/** Returns the first folder of a file below source/: its room. */
export function roomOf(file: string): string | undefined {
  const [, room, ...inside] = file.split('/');
  return inside.length > 0 ? room : undefined;
}

/** Returns the folder of a file inside its room; undefined for files of the room itself. */
export function nounOf(file: string): string | undefined {
  const [, , noun, ...inside] = file.split('/');
  return inside.length > 0 ? noun : undefined;
}
