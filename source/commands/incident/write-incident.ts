/** Writes the incident file of a deployment, or prints what it would mask. */
import { beginFile } from '../../disk/begin-file.ts';
import { packIncident } from '../../disk/incident-file.ts';
import { createRestartTimes } from '../../disk/restart-times.ts';
import { createTrashFolder } from '../../disk/trash-folder.ts';
import { collectEdits } from '../../store/incident/collect-edits.ts';
import type { Incident, IncidentRestart } from '../../store/incident/incident.ts';
import { bareUrl } from '../../store/incident/bare-url.ts';
import { deploymentFields } from '../../store/incident/deployment-fields.ts';
import { maskIncident } from '../../store/incident/mask-incident.ts';
import {
  addAcceptedRestart,
  addReportedRestart,
  type LogRestarts,
} from '../../store/log/restarts.ts';
import { parseMoment } from '../../store/log/reader/moment.ts';
import {
  type CommandProblem,
  configurationProblem,
  failureProblem,
  requestProblem,
  usageProblem,
} from '../command-problem.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { findLocalTarget } from '../files/local-target.ts';
import { findLog } from '../logs/find-log.ts';
import { createDeploymentFinder } from '../names/find-deployment.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';
import type { CommandWords } from '../table/command-spec.ts';
import { maskedView, writtenView } from './incident-view.ts';
import { readLines } from './read-lines.ts';

interface IncidentFlags {
  readonly since: string | undefined;
  readonly until: string | undefined;
  readonly output: string | undefined;
  readonly 'dry-run': boolean;
}

interface Span {
  readonly since: number;
  readonly until: number;
}

type Built =
  | { readonly ok: true; readonly incident: Incident }
  | { readonly ok: false; readonly problem: CommandProblem | undefined };

const defaultSpan = '30m';

export async function writeIncident(
  context: ServiceCommandContext,
  { args: [name = ''], flags }: CommandWords<IncidentFlags>,
): Promise<ExitCode> {
  const { output, confirm, cwd, signal, service } = context;
  if (!service.logMemory.ok) return output.fail(configurationProblem(service.logMemory.problem));
  const target = flags['dry-run']
    ? undefined
    : await findLocalTarget('incident.gz', flags.output, { cwd });
  if (target?.ok === false) return output.fail(target.problem);
  if (target?.isTaken === true) {
    const refusal = await confirm.ask({ facts: [], question: `Replace ${target.file}?` });
    if (refusal !== undefined) return output.fail(refusal);
  }
  const built = await buildIncident(context, name, flags);
  if (!built.ok)
    return built.problem === undefined ? exitCodes.interrupted : output.fail(built.problem);
  const { incident } = built;
  for (const sentence of incident.missing) output.note(sentence);
  if (target === undefined) return output.list(incident.masked.counts, maskedView);
  if (signal.aborted) return exitCodes.interrupted;
  const bytes = await packIncident(incident);
  const reason = await writeFile(target.file, bytes, target.isTaken);
  if (reason !== undefined) {
    return output.fail(failureProblem(`Can't write ${target.file}: ${reason}.`, '', 'local'));
  }
  return output.record({ file: target.file, size: bytes.length, incident }, writtenView);
}

/** Resolves with the reason where the file can't be written. */
async function writeFile(
  file: string,
  bytes: Uint8Array,
  isTaken: boolean,
): Promise<string | undefined> {
  const begun = await beginFile(file, isTaken);
  if (!begun.ok) return begun.reason;
  const written = await begun.writing.write(bytes);
  if (!written.ok) {
    await begun.writing.discard();
    return written.reason;
  }
  const finished = await begun.writing.finish();
  return finished.ok ? undefined : finished.reason;
}

async function buildIncident(
  context: ServiceCommandContext,
  name: string,
  flags: IncidentFlags,
): Promise<Built> {
  const { client, signal, service, folders, clock } = context;
  const found = await findLog(createDeploymentFinder(client, signal), name);
  if (!found.ok) return found;
  const { id } = found;
  const span = readSpan(flags, clock.now() + client.clockOffset());
  if (span === undefined) {
    const sentence = '--since is not before --until: no line can be in between.';
    return { ok: false, problem: usageProblem(sentence) };
  }
  const got = await client.deployments.get(id, signal);
  const lines = await readLines(context, id, span);
  if (!lines.ok) return lines;
  const listed = found.deployment && { value: found.deployment, unknown: {} };
  const record = got.ok ? got.value : listed;
  const deployment = record?.value;
  const clockOffset = client.clockOffset();
  const files = await collectEdits({
    files: client.files,
    trash: createTrashFolder(folders.state, service.stateKey),
    deploymentId: id,
    services: deployment?.services.map((one) => one.name) ?? [],
    from: span.since - clockOffset,
    to: span.until - clockOffset,
    clockOffset,
    signal,
  });
  const requested = createRestartTimes(folders.state, service.stateKey).read(id);
  const missing = [
    ...(got.ok
      ? []
      : [`The deployment's record is incomplete: ${requestProblem(got.error).sentence}`]),
    ...lines.missing,
    ...files.missing,
    'Console history and marks are not in the file: a command has neither.',
  ];
  const raw = {
    header: {
      hostdeck: context.version,
      madeAt: timeText(clock.now()),
      from: timeText(span.since),
      to: timeText(span.until),
      timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      clockOffset,
      baseUrl: bareUrl(service.baseUrl),
      profile: service.profile.name,
      deploymentId: id,
      deploymentName: deployment?.name,
    },
    deployment: record && deploymentFields(record),
    missing,
    files: files.files,
    edits: files.edits,
    restarts: knownRestarts(id, deployment?.restartedAt, requested),
    history: [],
    marks: [],
    lines: lines.lines,
  };
  return { ok: true, incident: maskIncident(raw, [service.token]) };
}

/** Returns the span by the clock of the service; undefined where it is empty. */
function readSpan({ since = defaultSpan, until }: IncidentFlags, now: number): Span | undefined {
  const [from, to] = [since, until].map((text) => {
    const read = text === undefined ? undefined : parseMoment(text, now, false);
    return read?.ok === true ? read.at : now;
  });
  return from !== undefined && to !== undefined && from < to
    ? { since: from, until: to }
    : undefined;
}

function timeText(at: number): string {
  return new Date(at).toISOString();
}

function knownRestarts(
  id: string,
  restartedAt: string | undefined,
  requested: readonly number[],
): readonly IncidentRestart[] {
  const accepted = requested.reduce<LogRestarts>((all, at) => addAcceptedRestart(all, id, at), []);
  const reported = Date.parse(restartedAt ?? '');
  const all = Number.isNaN(reported) ? accepted : addReportedRestart(accepted, id, reported);
  return all.map(({ at, isReported }) => ({ at, isReported }));
}
