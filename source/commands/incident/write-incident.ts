/** Writes the incident file of a deployment, or prints what it would hold. */
import { timeZoneProblem } from '../../config/time-zone.ts';
import { millisecondOf } from '../../contract/instant.ts';
import { beginFile } from '../../disk/begin-file.ts';
import { formatBytes } from '../../store/files/file-size.ts';
import type { CollectedIncident, Incident } from '../../store/incident/incident.ts';
import { writeLocalFile } from '../../store/transfers/write-file.ts';
import {
  CommandFailure,
  type CommandProblem,
  configuredValue,
  failureProblem,
  usageProblem,
} from '../command-problem.ts';
import { type ExitCode, exitCodes, worstExitCode } from '../exit-codes.ts';
import { findLocalTarget } from '../files/local-target.ts';
import { createDeploymentFinder, findLog } from '../names/find-deployment.ts';
import { readTimeRange, type TimeRangeFlags } from '../logs/log-range.ts';
import type { RecordView } from '../output/record-view.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';
import type { CommandWords } from '../table/command-spec.ts';
import { collectIncident } from './collect-incident.ts';

interface IncidentFlags extends TimeRangeFlags {
  readonly output: string | undefined;
  readonly 'dry-run': boolean;
}

export async function writeIncident(
  context: ServiceCommandContext,
  { args: [name = ''], flags }: CommandWords<IncidentFlags>,
): Promise<ExitCode> {
  const { output, confirm, cwd, signal } = context;
  const target = flags['dry-run']
    ? undefined
    : await findLocalTarget('incident.tar.gz', flags.output, { cwd });
  if (target?.isTaken === true) {
    await confirm.ask({ facts: [], question: `Replace ${target.file}?` });
  }
  const collected = await collect(context, name, flags);
  if (!collected.ok) {
    if (collected.problem === undefined) return exitCodes.interrupted;
    throw new CommandFailure(collected.problem);
  }
  const { incident, bytes, isShort } = collected;
  for (const sentence of incident.facts.missing) output.note(sentence);
  if (signal.aborted) return exitCodes.interrupted;
  if (target !== undefined) {
    const to = { file: target.file, replaces: target.isTaken };
    const reason = await writeLocalFile({ begin: beginFile }, to, bytes);
    if (reason !== undefined) {
      const sentence = `Can't write ${target.file}: ${reason}.`;
      throw new CommandFailure(failureProblem(sentence, '', 'local'));
    }
  }
  const written = { file: target?.file, size: bytes.length, incident };
  const exit = await output.record(written, writtenView);
  return isShort ? worstExitCode([exit, exitCodes.unreachable]) : exit;
}

async function collect(
  context: ServiceCommandContext,
  name: string,
  flags: IncidentFlags,
): Promise<CollectedIncident<CommandProblem>> {
  const { client, signal, clock, service, folders, version } = context;
  const logMemory = configuredValue(service.logMemory);
  context.output.warn(timeZoneProblem(context.env));
  const found = await findLog(createDeploymentFinder(client, signal), name);
  const span = readIncidentSpan(flags, clock.now() + client.clockOffset());
  const { state } = folders;
  return collectIncident(
    { client, clock, signal, version, state, service, logMemory },
    { id: found.id, listed: found.deployment, ...span },
  );
}

const defaultSpan = 30 * 60_000;

/**
 * Returns the first time of an incident and the time after its last one, in ms since the epoch. It ends now
 * at the latest, and begins half an hour before its end unless a beginning is given. Throws a
 * {@link CommandFailure} where it would be empty.
 * @param now by the clock of the service, like the result.
 */
export function readIncidentSpan(flags: TimeRangeFlags, now: number) {
  const { since: first, until: end } = readTimeRange(flags, now, false);
  const until = end === undefined ? now : Math.min(millisecondOf(end), now);
  const since = first === undefined ? until - defaultSpan : millisecondOf(first);
  if (since >= until) throw new CommandFailure(usageProblem('--since is later than now.'));
  return { since, until };
}

interface WrittenIncident {
  /** Absolute path; undefined where nothing was written. */
  readonly file: string | undefined;
  /** Bytes. */
  readonly size: number;
  readonly incident: Incident;
}

const writtenView: RecordView<WrittenIncident> = {
  columns: [
    { title: 'FILE', value: ({ file }) => file },
    { title: 'SIZE', value: ({ size }) => String(size), shown: ({ size }) => formatBytes(size) },
    { title: 'LINES', value: ({ incident }) => String(incident.lines.length) },
    { title: 'EDITS', value: ({ incident }) => String(incident.diffs.length) },
    { title: 'MASKED', value: ({ incident }) => maskedText(incident) },
    { title: 'MISSING', value: ({ incident }) => String(incident.facts.missing.length) },
  ],
  fields: ['file', 'size', 'from', 'to', 'lines', 'edits', 'masked', 'missing'],
  json({ file, size, incident: { facts, lines, diffs } }) {
    const { from, to, masked, missing } = facts;
    return { file, size, from, to, lines: lines.length, edits: diffs.length, masked, missing };
  },
  id: ({ file = '' }) => file,
};

function maskedText({ facts: { masked } }: Incident): string {
  const [secrets, places] = [masked.secrets, masked.places].map((count) =>
    count === 1 ? '' : 's',
  );
  return `${masked.secrets} secret${secrets} in ${masked.places} place${places}`;
}
