/** Tells whether the version of a file that wrote a line is the one on the service. */
import { parseInstant } from '../../../contract/instant.ts';
import type { Deployment } from '../../../contract/deployments.ts';
import type { LogLine } from '../../../contract/logs.ts';

/**
 * Returns whether a file was saved, by anybody, after the start of the run that wrote a line; undefined
 * where no times tell it. Of an earlier run, only saves after the line are certain to be missing in it.
 * @param modifiedAt time of the last save, ISO 8601.
 */
export function isSavedSince(
  line: Pick<LogLine, 'serviceName' | 'timestamp'>,
  deployment: Pick<Deployment, 'services' | 'restartedAt'> | undefined,
  modifiedAt: string | undefined,
): boolean | undefined {
  const saved = parseInstant(modifiedAt);
  const written = parseInstant(line.timestamp);
  const service = deployment?.services.find(({ name }) => name === line.serviceName);
  const started = parseInstant(service?.startedAt) ?? parseInstant(deployment?.restartedAt);
  if (saved === undefined) return undefined;
  // A line without a time is one of the run that goes on, unless the log is older.
  if (written === undefined) return started === undefined ? undefined : saved > started;
  return saved > (started === undefined || written < started ? written : started);
}
