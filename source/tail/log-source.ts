import type { LogLine } from '../contract/logs.ts';

/** Who wrote a line: the service, and which of its instances where there are several: `worker 2`. */
export function sourceOf({ serviceName, instance }: LogLine): string | undefined {
  if (serviceName === undefined || instance === undefined) return serviceName;
  return `${serviceName} ${instance}`;
}
