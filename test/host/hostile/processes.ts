import { readdirSync, readFileSync } from 'node:fs';
import type { KnownProcess } from './service/attack.ts';

function textOf(pid: string | number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}

function pidsWhere(matches: (pid: string) => boolean): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && matches(name))
    .map(Number);
}

/** Returns the ids of processes with this text in their command line; zombies have none. */
export function pidsWithWords(words: string): readonly number[] {
  return pidsWhere((pid) => textOf(pid, 'cmdline').replaceAll('\0', ' ').includes(words));
}

/** Returns the ids of processes with this entry in their environment. */
export function pidsWithEntry(entry: string): readonly number[] {
  return pidsWhere((pid) => textOf(pid, 'environ').split('\0').includes(entry));
}

/** Returns the ids of processes of this user. */
export function pidsOfUser(user: number): readonly number[] {
  return pidsWhere((pid) => {
    const status = textOf(pid, 'status');
    const ids = /^Uid:\s*(.*)$/m.exec(status)?.[1]?.split(/\s+/) ?? [];
    return ids.includes(String(user)) && !/^State:\s*[ZX]/m.test(status);
  });
}

export function knownProcess(pid: number): KnownProcess {
  const stat = textOf(pid, 'stat');
  const startedAt = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  return { pid, startedAt };
}
