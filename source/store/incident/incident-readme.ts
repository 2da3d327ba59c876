import type { Incident } from './incident.ts';

/** Returns the text README.txt of an incident file: what the file is, and what is missing in it. */
export function incidentReadme({ facts, lines, marks, diffs }: Incident): string {
  const { masked, missing } = facts;
  return [
    `Incident of ${facts.deploymentName} (deployment ${facts.deploymentId})`,
    '',
    `Written by hostdeck ${facts.hostdeck} at ${facts.madeAt} from ${facts.baseUrl} (profile ${facts.profile}).`,
    `The log covers ${facts.from} to ${facts.to} by the clock of the service, which was`,
    `${facts.clockOffset} ms ahead of the machine that wrote the file (time zone ${facts.timeZone}).`,
    '',
    `log.jsonl        ${lines.length} lines of all services, oldest first, one JSON object a line`,
    ...(marks.length === 0
      ? []
      : [`marks.jsonl      ${marks.length} of them that somebody marked`]),
    'deployment.json  the record of the deployment, its files by name, edits, restarts and messages',
    `edits/           ${diffs.length} files that were edited from that machine: the change as a unified difference`,
    '',
    'hostdeck open FILE shows the archive in a console, without a connection to the service.',
    '',
    'Missing',
    ...(missing.length === 0 ? ['Nothing that hostdeck knew of.'] : missing),
    '',
    'Secrets',
    `${masked.secrets} secrets are masked in ${masked.places} places as [secret 1 ****]; equal ones have one number. A secret is found`,
    'by its form, by the name of its setting, and then wherever it stands. No rule knows every secret: an',
    'ordinary word that stands behind no such name is not found. Look through the files before you send them.',
  ]
    .map((line) => `${line.replaceAll('\n', ' ')}\n`)
    .join('');
}
