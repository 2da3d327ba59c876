import type { EngineTask } from '../../engine/swarm-api.ts';

/** Outputs and events of a task that are stored with the time up to which they were read. */
const sourceParts = ['stdout', 'stderr', 'start', 'lost', 'back', 'unread', 'end'] as const;

type SourcePart = (typeof sourceParts)[number];

/** Returns the id of an output of a task, or of an event that is logged once. */
export function sourceOf({ id }: Pick<EngineTask, 'id'>, part: SourcePart): string {
  return `${id}/${part}`;
}

/** Returns all sources of a task, by its id. */
export function sourcesOf(id: string): readonly string[] {
  return sourceParts.map((part) => sourceOf({ id }, part));
}

/** Returns the id of the task of a source. */
export function taskOfSource(source: string): string {
  return source.slice(0, source.lastIndexOf('/'));
}
