/** Collects an incident from the service and from this machine, for the shell and for the console. */
import { packIncident } from '../../disk/incident-file.ts';
import { createProofRecords } from '../../disk/proof-records.ts';
import { createRestartTimes } from '../../disk/restart-times.ts';
import { createTrashFolder } from '../../disk/trash-folder.ts';
import type { Deployment } from '../../contract/deployments.ts';
import type { LogLine } from '../../contract/logs.ts';
import type {
  CollectedIncident,
  IncidentEvent,
  IncidentSubject,
} from '../../store/incident/incident.ts';
import { maskIncident } from '../../store/incident/mask-incident.ts';
import {
  addAcceptedRestart,
  addReportedRestart,
  type LogRestart,
  type LogRestarts,
} from '../../store/log/restarts.ts';
import { turnOf } from '../../store/time/clock.ts';
import { type CommandProblem, requestProblem } from '../command-problem.ts';
import { exitCodes } from '../exit-codes.ts';
import { deploymentJson } from '../deployments/deployment-view.ts';
import type { CommandService } from '../table/command-context.ts';
import { EditsCollector } from './collect-edits.ts';
import { type LogContext, readLines } from './read-lines.ts';

/** The parts of a command, or of a console, that an incident is collected with. */
export interface IncidentContext extends LogContext {
  readonly version: string;
  /** Folder of local state. */
  readonly state: string;
  readonly service: Pick<CommandService, 'baseUrl' | 'token' | 'profile' | 'stateKey'>;
}

/** @param subject with the deployment as it was listed, in case that its record can't be read. */
export async function collectIncident(
  context: IncidentContext,
  subject: IncidentSubject & { readonly listed: Deployment | undefined },
): Promise<CollectedIncident<CommandProblem>> {
  const { client, signal, service, state, clock } = context;
  const { id, since, until, seen } = subject;
  const got = await client.deployments.get(id, signal);
  const { lines, exit, problem, ...read } = await readLines(context, subject);
  const isShort = exit === exitCodes.unreachable && problem === undefined;
  if (exit !== exitCodes.done && !isShort) return { ok: false, problem };
  const listed = { value: subject.listed ?? { id, services: [] }, unknown: {} };
  const record = got.ok ? got.value : listed;
  const { name = id, services } = record.value;
  const clockOffset = client.clockOffset();
  const trash = createTrashFolder(state, service.stateKey);
  const edits = new EditsCollector(client.files, trash, signal);
  await edits.collect({
    deploymentId: id,
    services: services.map((one) => one.name),
    from: since - clockOffset,
    to: until - clockOffset,
    clockOffset,
  });
  const restarts = await restartEvents(context, record.value);
  const { events = [], marks = [] } = seen ?? {};
  const facts = {
    hostdeck: context.version,
    madeAt: timeText(clock.now()),
    from: timeText(since),
    to: timeText(until),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    clockOffset,
    baseUrl: bareUrl(service.baseUrl),
    profile: service.profile.name,
    deploymentId: id,
    deploymentName: name,
    deployment: deploymentJson(record),
    files: edits.files,
    events: [...events, ...edits.events, ...restarts, ...marks.map(markEvent)].toSorted(
      (left, right) => left.at - right.at,
    ),
    missing: [
      ...(got.ok
        ? []
        : [`The record of the deployment was not read: ${requestProblem(got.error).sentence}`]),
      ...read.missing,
      ...edits.missing,
      ...(seen === undefined
        ? ['Console history and marks are not in the file: a command has neither.']
        : []),
    ],
  };
  const raw = { facts, lines, marks, edits: edits.edits };
  const incident = await maskIncident(raw, [service.token], () => turnOf(clock));
  return { ok: true, incident, bytes: await packIncident(incident), isShort };
}

/** Milliseconds by which the times of a restart and of its proof may differ. */
const sameRestart = 120_000;

/** Resolves with the known restarts of a deployment, and the verdicts on the runs after them. */
async function restartEvents(
  { client, state, service: { stateKey } }: IncidentContext,
  { id, name = id, restartedAt = '' }: Deployment,
): Promise<readonly IncidentEvent[]> {
  const requested = createRestartTimes(state, stateKey).read(id);
  const proofs = await createProofRecords(state, stateKey).read(id);
  const accepted = requested.reduce<LogRestarts>((all, at) => addAcceptedRestart(all, id, at), []);
  const reported = Date.parse(restartedAt);
  const all = Number.isNaN(reported) ? accepted : addReportedRestart(accepted, id, reported);
  return all.map((restart) => {
    const proof = proofs.find((one) => one.isJudged && nearest(all, one.at) === restart);
    const texts = [
      restart.isReported ? `${name} restarted.` : `A restart of ${name} was requested.`,
      ...(proof === undefined ? [] : [`The run after it was judged ${proof.verdict}.`]),
      ...(proof?.isUndone === true ? ['Its files were restored later.'] : []),
    ];
    return { at: restart.at - client.clockOffset(), text: texts.join(' ') };
  });
}

/** Returns the restart that a proof of this time is about. */
function nearest(restarts: LogRestarts, at: number): LogRestart | undefined {
  const distance = (restart: LogRestart): number => Math.abs(restart.at - at);
  const [first] = restarts.toSorted((left, right) => distance(left) - distance(right));
  return first !== undefined && distance(first) <= sameRestart ? first : undefined;
}

function markEvent({ timestamp = '', serviceName = '', logLine }: LogLine): IncidentEvent {
  return { at: Date.parse(timestamp) || 0, text: `Marked: ${timestamp} ${serviceName} ${logLine}` };
}

function timeText(at: number): string {
  return new Date(at).toISOString();
}

/** Returns a URL without its user, password, query and fragment. */
function bareUrl(text: string): string {
  const { origin, pathname } = new URL(text);
  return `${origin}${pathname}`;
}
