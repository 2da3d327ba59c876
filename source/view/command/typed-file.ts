/** The local file that a person types into a prompt, for what is written about a deployment. */
import type { LocalFiles } from '../../store/transfers/local-files.ts';
import { parsePaths } from '../../store/transfers/pasted-paths.ts';

/** A local file, and what exists at its place. */
interface TypedFile {
  /** Absolute path. */
  readonly file: string;
  readonly status: 'nothing' | 'file' | 'folder';
}

/**
 * Resolves with the file that a text stands for: the path of a file, or of a folder in which it gets
 * the given name. Undefined where the text is not one path.
 */
export async function findTypedFile(
  local: Pick<LocalFiles, 'home' | 'resolve' | 'statusAt'>,
  text: string,
  name: string,
): Promise<TypedFile | undefined> {
  const [typed, ...others] = parsePaths(text, local.home);
  if (typed === undefined || others.length > 0) return undefined;
  const isFolder =
    typed.endsWith('/') || (await local.statusAt(local.resolve(typed), [])) === 'folder';
  const file = local.resolve(isFolder ? `${typed}/${name}` : typed);
  return { file, status: await local.statusAt(file, []) };
}

/**
 * Returns a name such as `shop-20261121-1203.log`, in local time.
 * @param fallback stands for a deployment whose name has no letters or digits.
 */
export function datedFileName(
  deployment: string,
  extension: string,
  { now, fallback }: { readonly now: number; readonly fallback: string },
): string {
  const date = new Date(now);
  const [day, time] = [
    [date.getFullYear(), date.getMonth() + 1, date.getDate()],
    [date.getHours(), date.getMinutes()],
  ].map((parts) => parts.map((part) => String(part).padStart(2, '0')).join(''));
  const plain = deployment.replace(/[^\p{L}\p{N}_-]+/gu, '-').replace(/^-+|-+$/g, '');
  return `${plain === '' ? fallback : plain}-${day}-${time}.${extension}`;
}
