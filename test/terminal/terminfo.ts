import { execFileSync } from 'node:child_process';

/** String capabilities of a terminal by name, as its terminfo entry has them. */
export function capabilities(terminal: string): ReadonlyMap<string, string> {
  const entry = execFileSync('infocmp', ['-1', terminal]).toString();
  const found = [...entry.matchAll(/^\t(\w+)=(.*),$/gm)];
  return new Map(found.map(([, name = '', value = '']) => [name, decoded(value)]));
}

/** terminfo(5), "Types of Capabilities": `\E`, `^X`, `\ooo`; delays are left out. */
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
