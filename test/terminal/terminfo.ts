import { execFileSync } from 'node:child_process';

/** Returns the string capabilities of a terminal by name, from its terminfo entry. */
export function capabilities(terminal: string): ReadonlyMap<string, string> {
  const entry = execFileSync('infocmp', ['-1', terminal]).toString();
  const found = [...entry.matchAll(/^\t(\w+)=(.*),$/gm)];
  return new Map(found.map(([, name = '', value = '']) => [name, decoded(value)]));
}

/** Decodes `\E`, `^X` and `\ooo` (terminfo(5), "Types of Capabilities"), and drops delays. */
function decoded(value: string): string {
  return value
    .replaceAll(/\$<[^>]*>/g, '')
    .replaceAll(/\\E|\\(\d{3})|\^(.)|\\(.)/g, (whole, octal, control, other) => {
      if (whole === '\\E') return '\x1b';
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(String(octal), 8));
      if (control === '?') return '\x7f';
      if (control !== undefined) return String.fromCharCode(String(control).charCodeAt(0) & 0x1f);
      return String(other);
    });
}
