import type { LocalNameRules } from './local-files.ts';

/** Most UTF-8 bytes of a name on common file systems. */
const maxNameBytes = 255;

/** Names and characters reserved on Windows (Naming Files, Paths, and Namespaces). */
const windowsDevice = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:[ .]|$)/i;
const windowsReserved = /[<>:"|?*\\]|[. ]$/;

export type LocalName =
  | { readonly ok: true; readonly segments: readonly string[] }
  | { readonly ok: false; readonly reason: string };

/**
 * Splits a path from a service into local names, none of which leads out of its folder. The reason
 * of a rejection follows "PATH: " in a message.
 */
export function parseLocalName(path: string, { windows }: LocalNameRules): LocalName {
  const segments = path.split('/');
  for (const segment of segments) {
    const reason = nameProblem(segment, windows);
    if (reason !== undefined) return { ok: false, reason };
  }
  return { ok: true, segments };
}

function nameProblem(segment: string, windows: boolean): string | undefined {
  if (segment === '') return 'a part of its name is empty';
  if (segment === '.' || segment === '..') return 'its name leads to another folder';
  if (segment.includes('\0')) return 'its name contains a NUL';
  if (!segment.isWellFormed()) return 'its name is not valid Unicode';
  if (new TextEncoder().encode(segment).length > maxNameBytes) return 'its name is too long';
  if (!windows) return undefined;
  return /\p{Cc}/u.test(segment) || windowsReserved.test(segment) || windowsDevice.test(segment)
    ? 'its name is not valid on Windows'
    : undefined;
}

/** Returns a key that is equal for paths of the same local file. */
export function localNameKey(path: string, { caseless }: LocalNameRules): string {
  return caseless ? path.normalize('NFC').toLowerCase() : path;
}
