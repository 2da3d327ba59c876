/** Shows the edits of an incident as files, beside the files that they changed. */
import type { Incident } from './incident.ts';

export interface DifferenceFile {
  readonly service: string;
  /** Path of the changed file with the time of the edit: `config/app.yaml.120108.diff`. */
  readonly path: string;
  readonly content: string;
  /** Time of the edit, ms since the epoch. */
  readonly at: number;
}

/** Returns a file for each edit with a difference. */
export function differenceFiles({ edits }: Pick<Incident, 'edits'>): readonly DifferenceFile[] {
  const files = new Map<string, DifferenceFile>();
  for (const { service, path, at, diff } of edits) {
    if (diff === undefined) continue;
    const time = new Date(at);
    const isTime = !Number.isNaN(time.getTime());
    const stamp = isTime ? time.toISOString().slice(11, 19).replaceAll(':', '') : 'edit';
    let name = `${path}.${stamp}.diff`;
    for (let next = 2; files.has(`${service} ${name}`); next += 1) {
      name = `${path}.${stamp}-${next}.diff`;
    }
    const content = `--- ${path}\n+++ ${path}\n${diff}`;
    files.set(`${service} ${name}`, { service, path: name, content, at: isTime ? at : 0 });
  }
  return [...files.values()];
}
