/**
 * Writes an incident as JSON lines: one record a line, named by its `kind`, so that a person reads it with
 * `zcat FILE | jq`. The first record is the header and the last one `end`, without which a file is cut.
 */
import type { LogLine } from '../../contract/logs.ts';
import { type Incident, incidentVersion } from './incident.ts';

export const incidentFormat = 'hostdeck incident';

/** Returns the lines of an incident, each with its line feed. The same incident gives the same lines. */
export function* encodeIncident(incident: Incident): Generator<string> {
  const { header, deployment, masked } = incident;
  yield record('incident', { format: incidentFormat, version: incidentVersion, ...header });
  for (const sentence of incident.missing) yield record('missing', { sentence });
  yield record('masked', masked);
  if (deployment !== undefined) yield record('deployment', { record: deployment });
  for (const file of incident.files) yield record('file', file);
  for (const edit of incident.edits) yield record('edit', edit);
  for (const restart of incident.restarts) yield record('restart', restart);
  for (const entry of incident.history) yield record('history', { entry });
  for (const line of incident.marks) yield record('mark', lineFields(line));
  for (const line of incident.lines) yield record('line', lineFields(line));
  yield record('end', {});
}

function record(kind: string, fields: object): string {
  return `${JSON.stringify({ kind, ...fields })}\n`;
}

/** Returns the fields of a line; an id that a JSON number would round is a text. */
function lineFields({ id, ...line }: LogLine): object {
  return { id: typeof id === 'bigint' ? id.toString() : id, ...line };
}
