import type { LogLine } from '../contract/logs.ts';

/** Returns the source of a line: its service and, if known, its instance, as in `worker 2`. */
export function sourceOf({ serviceName, instance }: LogLine): string | undefined {
  if (serviceName === undefined || instance === undefined) return serviceName;
  return `${serviceName} ${instance}`;
}
