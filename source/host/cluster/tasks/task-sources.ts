import type { EngineTask } from '../../engine/swarm-api.ts';
import type { StoredCursor } from '../../logs/run.ts';

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

/** A task of which an earlier host has stored something, but not the end. */
export interface LeftTask {
  /** Number of the deployment. */
  readonly deployment: number;
  readonly service: string;
  /** Number of the instance, when the service has several. */
  readonly instance: number | undefined;
  /** Engine's time of the newest line that was read; undefined for none. */
  readonly lastRead: string | undefined;
}

/** Returns a task by what is stored of it; undefined when its end is, or when its service is unknown. */
export function findLeftTask(
  cursors: ReadonlyMap<string, StoredCursor>,
  id: string,
): LeftTask | undefined {
  const cursorOf = (part: SourcePart) => cursors.get(sourceOf({ id }, part));
  if (cursorOf('end') !== undefined) return undefined;
  const [stdout, stderr] = [cursorOf('stdout'), cursorOf('stderr')];
  const { deployment, service, instance } = cursorOf('start') ?? stdout ?? stderr ?? {};
  if (deployment === undefined || service === undefined) return undefined;
  const lastRead = [stdout, stderr]
    .flatMap((each) => each?.at ?? [])
    .toSorted()
    .at(-1);
  return { deployment, service, instance, lastRead };
}
