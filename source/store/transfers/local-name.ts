import type { LocalNaming } from './local-files.ts';

/** What no file system takes, bytes of UTF-8. */
const longest = 255;

/** Devices and characters that Windows has for itself (Naming Files, Paths, and Namespaces). */
const windowsDevice = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:[ .]|$)/i;
const windowsReserved = /[<>:"|?*\\]|[. ]$/;

export type LocalName =
  | { readonly ok: true; readonly segments: readonly string[] }
  | { readonly ok: false; readonly reason: string };

/**
 * The segments of a path that a service names, as names of this machine: none of them leads out of
 * the folder it is put in, whatever it says. The reason is what follows "X: ".
 */
export function localName(path: string, { windows }: LocalNaming): LocalName {
  const segments = path.split('/');
  for (const segment of segments) {
    const reason = refusal(segment, windows);
    if (reason !== undefined) return { ok: false, reason };
  }
  return { ok: true, segments };
}

function refusal(segment: string, windows: boolean): string | undefined {
  if (segment === '') return 'a part of its name is empty';
  if (segment === '.' || segment === '..') return 'its name leads to another folder';
  if (segment.includes('\0')) return 'its name holds a NUL';
  if (!segment.isWellFormed()) return 'its name holds half a character';
  if (new TextEncoder().encode(segment).length > longest) return 'its name is too long';
  if (!windows) return undefined;
  return /\p{Cc}/u.test(segment) || windowsReserved.test(segment) || windowsDevice.test(segment)
    ? 'Windows does not take its name'
    : undefined;
}

/** The same for names that lead to the same file on this machine. */
export function sameName(path: string, { caseless }: LocalNaming): string {
  return caseless ? path.normalize('NFC').toLowerCase() : path;
}
