/** Proves a restart for a command: watches the run, and prints the verdict. */
import type { Deployment } from '../../contract/deployments.ts';
import { defaultProofSeconds } from '../../contract/proof-length.ts';
import { createRestartTimes } from '../../disk/restart-times.ts';
import { createProofRecords } from '../../disk/proof-records.ts';
import { proofSentence, type RunFigures, type Verdict } from '../../store/proof/judge.ts';
import type { ProofRecord, ProofRecords } from '../../store/proof/proof-record.ts';
import { Proof, type ProofState } from '../../store/proof/proof.ts';
import type { ChangedFile } from '../../store/restarts/journal.ts';
import { type CommandProblem, failureProblem, requestProblem } from '../command-problem.ts';
import { type ExitCode, exitCodes, worstExitCode } from '../exit-codes.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';
import { createDraftsFolder } from '../../disk/drafts-folder.ts';
import { createTrashFolder } from '../../disk/trash-folder.ts';
import { createDrafts } from '../../store/drafts/drafts.ts';
import { restoreBatch } from '../../store/files/restore.ts';
import { restorableFiles } from '../../store/proof/restorable-files.ts';

/** A restart that the service has accepted. */
export interface AcceptedRestart {
  /** The deployment before the restart. */
  readonly before: Deployment;
  readonly label: string;
  /** Time of the request, ms since the epoch by this machine's clock. */
  readonly requestedAt: number;
  /** Changed files that it applies. */
  readonly files: readonly ChangedFile[];
  /** Time of their first change, ms since the epoch by this machine's clock. */
  readonly changedFrom: number;
  /** True to restore the files where the run is worse, and to prove that. */
  readonly autoRestore?: boolean | undefined;
}

/** Milliseconds between two requests for the deployment. */
const pollInterval = 1000;

/** The words about a deployment whose rollout takes longer than a proof. */
const waits = 'is still restarting. The verdict waits for the end of that.';

const verdictCodes: Readonly<Record<Verdict, ExitCode>> = {
  worse: exitCodes.worse,
  unchanged: exitCodes.done,
  unclear: exitCodes.unclear,
};

/** Watches the run after a restart and prints how it compares with earlier ones. Returns the exit code. */
export async function proveRestart(
  context: ServiceCommandContext,
  restart: AcceptedRestart,
): Promise<ExitCode> {
  const { output, folders, service } = context;
  const { before, label, requestedAt, files, changedFrom } = restart;
  const records = createProofRecords(folders.state, service.stateKey);
  const watched = await watchRun(context, restart);
  if (watched === undefined) return exitCodes.failed;
  const { judgement, at } = watched;
  const { verdict, figures, reason } = judgement;
  const { id: deploymentId } = before;
  const times = { at, changedFrom, requestedAt };
  const common = { deploymentId, name: label, ...times, files };
  const record: ProofRecord = { ...common, verdict, isJudged: true, isUndone: false };
  await records.write(record);
  const shown = { name: label, at: requestedAt, files: files.length, advice: '' };
  const sentence = proofSentence(shown, judgement);
  const json = { id: deploymentId, name: label, restartedAt: new Date(requestedAt).toISOString() };
  await output.result([sentence], {
    ...json,
    verdict,
    ...(reason !== undefined && { reason }),
    ...figuresJson(figures),
    files: files.map((file) => `${file.service}:${file.path}`),
  });
  if (verdict === 'worse' && restart.autoRestore === true) {
    return restoreAndProve(context, restart, record);
  }
  return verdictCodes[verdict];
}

/** Restores the files of a run that is worse, restarts, and proves that. Returns 6 at best. */
async function restoreAndProve(
  context: ServiceCommandContext,
  { before, label }: AcceptedRestart,
  record: ProofRecord,
): Promise<ExitCode> {
  const { client, clock, folders, output, service, signal } = context;
  const records = createProofRecords(folders.state, service.stateKey);
  const changedFrom = clock.now();
  const { files, problem } = await restoreRun(context, record, records);
  const exits: ExitCode[] = [exitCodes.worse];
  if (problem !== undefined) exits.push(output.fail(problem));
  if (files.length === 0 || signal.aborted) return worstExitCode(exits);
  const got = await client.deployments.get(before.id, signal);
  const requestedAt = clock.now();
  const answer = await client.deployments.restart(before.id);
  if (!answer.ok) return worstExitCode([...exits, output.fail(requestProblem(answer.error))]);
  if (problem === undefined) await records.write({ ...record, isUndone: true });
  output.note(`${label} is restarting with the files of before.`);
  const known = got.ok ? got.value.value : before;
  const restored = { before: known, label, requestedAt, files, changedFrom };
  return worstExitCode([...exits, await proveRestart(context, restored)]);
}

type Watched = Omit<Extract<ProofState, { readonly kind: 'judged' }>, 'isWatched'> & {
  /** Time of the request by the service's clock. */
  readonly at: number;
};

/** Resolves with the judgement of a run; undefined when a signal ends the command before. */
async function watchRun(
  { client, clock, folders, output, service, signal }: ServiceCommandContext,
  { before, label, requestedAt }: AcceptedRestart,
): Promise<Watched | undefined> {
  const serviceNow = () => clock.now() + client.clockOffset();
  const at = requestedAt + client.clockOffset();
  const { id } = before;
  const { proofSeconds = defaultProofSeconds } = service;
  const seconds = proofSeconds === 0 ? defaultProofSeconds : proofSeconds;
  const times = createRestartTimes(folders.state, service.stateKey).read(id);
  // The time of this restart has been noted already.
  const requested = times.filter((time) => time < at - 1000);
  output.note(`Watching ${label} for ${seconds} s.`);
  let hasWaited = false;
  return new Promise((resolve) => {
    const proof = new Proof({
      restart: { deploymentId: id, before, at, requested },
      seconds,
      client: client.logs,
      clock: { ...clock, serviceNow },
      random: Math.random,
      onState(state) {
        if (state.kind === 'judged') end({ ...state, at });
        else if (state.left === undefined) output.note(`${label} ${waits}`);
        else if (hasWaited) output.note(`Watching ${label} for ${state.left} s more.`);
        hasWaited = state.kind === 'proving' && state.left === undefined;
      },
    });
    let cancelPoll = clock.after(pollInterval, () => void poll());
    const abort = (): void => end(undefined);
    signal.addEventListener('abort', abort);
    if (signal.aborted) abort();

    async function poll(): Promise<void> {
      const got = await client.deployments.get(id, signal);
      if (got.ok) proof.observe(got.value.value);
      if (proof.state().kind !== 'proving' || signal.aborted) return;
      cancelPoll = clock.after(pollInterval, () => void poll());
    }

    function end(watched: Watched | undefined): void {
      signal.removeEventListener('abort', abort);
      cancelPoll();
      proof.stop();
      resolve(watched);
    }
  });
}

function figuresJson(figures: RunFigures): Readonly<Record<string, unknown>> {
  const { crashes, rolledBack, service, errorsPerMinute, freshErrors, usual } = figures;
  return {
    crashes,
    ...(rolledBack !== undefined && { rolledBack }),
    ...(service !== undefined && { service, errorsPerMinute, newErrors: freshErrors }),
    ...(usual !== undefined && { usualErrorsPerMinute: usual.perMinute }),
  };
}

/** The end of a restore: the files that were restored, and why others were not. */
interface RestoredRun {
  readonly files: readonly ChangedFile[];
  readonly problem: CommandProblem | undefined;
}

/**
 * Restores each file of a restart that has an earlier version in the trash, unless somebody else has
 * changed it since, and names the others.
 */
async function restoreRun(
  { client, clock, folders, output, service }: ServiceCommandContext,
  record: ProofRecord,
  records: ProofRecords,
): Promise<RestoredRun> {
  const { deploymentId, name } = record;
  const trash = createTrashFolder(folders.state, service.stateKey);
  const known = await records.read(deploymentId);
  const { files, others } = restorableFiles(record, await trash.batches(), known);
  // No restart has a discarded draft among its files.
  const drafts = {
    ...createDrafts({ keeper: createDraftsFolder(folders.state, service.stateKey), clock }),
    discard: async () => ({ names: [], failure: undefined }),
  };
  const restored: ChangedFile[] = [];
  const problems: string[] = [];
  for (const [ofService, group] of Map.groupBy(files, (file) => file.service)) {
    const entries = group.map(({ entry: { id, path }, written }) => ({
      id,
      path,
      expected: written,
    }));
    const outcome = await restoreBatch(
      {
        client: client.files,
        clock,
        trash,
        batch: `${clock.now()} restore`,
        writes: {
          // The restart of the run is in the journal until the restored files have been restarted, too.
          async intend() {},
          notChanged() {},
          async fileChanged({ path }) {
            restored.push({ service: ofService, path });
          },
        },
        drafts,
      },
      { deploymentId, service: ofService },
      { entries },
    );
    if (outcome.ok) output.note(outcome.sentence);
    else problems.push(outcome.sentence);
  }
  if (others.length > 0) {
    const paths = others.map((file) => `${file.service}:${file.path}`).join(', ');
    output.note(`Without an earlier version, these stay on ${name}: ${paths}.`);
  }
  const isNone = files.length === 0;
  const sentence = isNone ? `Nothing of ${name} can be restored.` : problems.join(' ');
  const problem = { ...failureProblem(sentence), exit: exitCodes.conflict, code: 'conflict' };
  return { files: restored, problem: isNone || problems.length > 0 ? problem : undefined };
}
