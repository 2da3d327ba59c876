import { readdir, readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { signal } from './carriers.ts';

const pollMs = 50;

/** Waits until no process of a group runs, at most until a time (`performance.now()`). */
export async function groupEnds(group: number, until: number): Promise<void> {
  while (performance.now() < until && (await groupRuns(group))) await setTimeout(pollMs);
}

async function groupRuns(group: number): Promise<boolean> {
  if (!signal(-group, 0)) return false;
  if (process.platform !== 'linux') return true;
  // One that has ended counts as long as its parent does not ask for it, which may be never.
  const names = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const running = names.map(async (name) => {
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const [state = '', , member] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(member) === group && !/[ZX]/.test(state);
  });
  return (await Promise.all(running)).includes(true);
}
