/** Collects an incident from the service and from this machine, and masks it. */
import type { Client } from '../../client/client.ts';
import type { Deployment } from '../../contract/deployments.ts';
import type { Folders } from '../../config/environment.ts';
import { createProofRecords } from '../../disk/proof-records.ts';
import { createRestartTimes } from '../../disk/restart-times.ts';
import { createTrashFolder } from '../../disk/trash-folder.ts';
import { bareUrl } from '../../store/incident/bare-url.ts';
import { collectEdits } from '../../store/incident/collect-edits.ts';
import { deploymentFields } from '../../store/incident/deployment-fields.ts';
import type { Incident, IncidentRestart } from '../../store/incident/incident.ts';
import type { SeenByConsole } from '../../store/incident/incident-maker.ts';
import { maskIncident } from '../../store/incident/mask-incident.ts';
import {
  addAcceptedRestart,
  addReportedRestart,
  type LogRestarts,
} from '../../store/log/restarts.ts';
import type { ProofRecord } from '../../store/proof/proof-record.ts';
import { type Clock, turnOf } from '../../store/time/clock.ts';
import { type CommandProblem, requestProblem } from '../command-problem.ts';
import type { CommandService } from '../table/command-context.ts';
import { readLines } from './read-lines.ts';

/** The parts of a command, or of a console, that an incident is collected with. */
export interface IncidentContext {
  readonly client: Client;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly version: string;
  readonly folders: Pick<Folders, 'state'>;
  readonly service: Pick<
    CommandService,
    'baseUrl' | 'token' | 'profile' | 'stateKey' | 'logMemory'
  >;
}

/** The deployment and the span of an incident, ms since the epoch by the clock of the service. */
export interface IncidentSubject {
  readonly id: string;
  /** The deployment as it was listed, in case that its record can't be read. */
  readonly listed: Deployment | undefined;
  readonly since: number;
  readonly until: number;
  /** Undefined without a console. */
  readonly seen?: SeenByConsole | undefined;
}

export type BuiltIncident =
  | {
      readonly ok: true;
      readonly incident: Incident;
      /** True when the log could not be read back to the first time. */
      readonly isShort: boolean;
    }
  /** The problem is undefined where a signal ended it. */
  | { readonly ok: false; readonly problem: CommandProblem | undefined };

export async function buildIncident(
  context: IncidentContext,
  subject: IncidentSubject,
): Promise<BuiltIncident> {
  const { client, signal, service, folders, clock } = context;
  const { id, seen } = subject;
  const got = await client.deployments.get(id, signal);
  const lines = await readLines(context, id, subject);
  if (!lines.ok) return lines;
  const listed = subject.listed && { value: subject.listed, unknown: {} };
  const record = got.ok ? got.value : listed;
  const deployment = record?.value;
  const clockOffset = client.clockOffset();
  const files = await collectEdits({
    files: client.files,
    trash: createTrashFolder(folders.state, service.stateKey),
    deploymentId: id,
    services: deployment?.services.map((one) => one.name) ?? [],
    from: subject.since - clockOffset,
    to: subject.until - clockOffset,
    clockOffset,
    signal,
  });
  const requested = createRestartTimes(folders.state, service.stateKey).read(id);
  const proofs = await createProofRecords(folders.state, service.stateKey).read(id);
  const missing = [
    ...(got.ok
      ? []
      : [`The record of the deployment was not read: ${requestProblem(got.error).sentence}`]),
    ...lines.missing,
    ...files.missing,
    ...(seen === undefined
      ? ['Console history and marks are not in the file: a command has neither.']
      : []),
  ];
  const raw = {
    header: {
      hostdeck: context.version,
      madeAt: timeText(clock.now()),
      from: timeText(subject.since),
      to: timeText(subject.until),
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
    restarts: knownRestarts(id, deployment?.restartedAt, requested).map((restart) =>
      withVerdict(restart, proofs),
    ),
    history: seen?.history ?? [],
    marks: seen?.marks ?? [],
    lines: lines.lines,
  };
  const incident = await maskIncident(raw, [service.token], () => turnOf(clock));
  return { ok: true, incident, isShort: lines.isShort };
}

/** Milliseconds by which the times of a restart and of its proof may differ. */
const sameRestart = 120_000;

function withVerdict(restart: IncidentRestart, proofs: readonly ProofRecord[]): IncidentRestart {
  const [proof] = proofs
    .filter(({ at }) => Math.abs(at - restart.at) <= sameRestart)
    .toSorted((a, b) => Math.abs(a.at - restart.at) - Math.abs(b.at - restart.at));
  if (proof === undefined) return restart;
  const undone = proof.isUndone ? ' Its files were restored later.' : '';
  const sentence = `The run after it was judged ${proof.verdict}.${undone}`;
  return { ...restart, verdict: { kind: proof.verdict, sentence } };
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
