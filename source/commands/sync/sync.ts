/** Runs `files sync`: finds both ends, shows the plan, asks, and sends. */
import { realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { describeLocalError } from '../../client/local-reason.ts';
import { createSyncBaseFile, type SyncEnds } from '../../disk/sync-bases.ts';
import type { ChangedFile } from '../../store/restarts/journal.ts';
import { deploymentLabel } from '../../store/deployments/deployments.ts';
import {
  type CommandProblem,
  failureProblem,
  notFoundProblem,
  requestProblem,
  usageProblem,
} from '../command-problem.ts';
import { type ExitCode, exitCodes, worstExitCode } from '../exit-codes.ts';
import { restartFlagProblem } from '../files/restart-flags.ts';
import { createRestartRecord } from '../files/restart-record.ts';
import { restartLine, restartWritten } from '../files/restart-written.ts';
import { createDeploymentFinder } from '../names/find-deployment.ts';
import { findService } from '../names/find-service.ts';
import { joinServicePath } from '../names/service-path.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';
import type { CommandWords } from '../table/command-spec.ts';
import {
  fileCount,
  planCounts,
  planRecords,
  planSummary,
  planView,
  sentSummary,
} from './plan-records.ts';
import type { SyncPlan, SyncConflict } from './plan-sync.ts';
import { approvalOf } from './sync-approval.ts';
import { filesProblem, foreignChangesProblem } from './sync-problems.ts';
import { createSyncSession, type FolderState } from './sync-session.ts';
import { type SyncFlags, type SyncRun, sendPlan, writtenFiles } from './sync-run.ts';
import { watchSync } from './watch-sync.ts';
import { isRequestablePath } from '../../contract/routes.ts';
import type { ServiceError } from '../../client/http/errors.ts';
import type { SyncFailure, SyncWrite } from './send-sync.ts';

/** Sends the changed files of a folder to a service. Returns the exit code. */
export async function runSync(
  given: ServiceCommandContext,
  { args: [typedFolder = '', place = ''], flags }: CommandWords<SyncFlags>,
): Promise<ExitCode> {
  const context = given.options.json ? withoutNotes(given) : given;
  const { client, confirm, cwd, clock, folders, options, output, service, signal } = context;
  const wrong = (flags.watch ? watchProblem(flags) : undefined) ?? restartFlagProblem(flags);
  if (wrong !== undefined) return output.fail(wrong);
  const folder = await localFolder(path.resolve(cwd, typedFolder));
  if (!folder.ok) return output.fail(notFoundProblem(`${typedFolder}: ${folder.reason}.`));
  const needsExact = !options.dryRun && (options.yes || !confirm.canAsk());
  const finder = createDeploymentFinder(client, signal);
  const found = await findService(place, finder, { path: 'optional', needsExact });
  if (!found.ok) return output.fail(found.problem);
  const target = targetFolder(found.path);
  if (target === undefined) {
    return output.fail(usageProblem(`${found.path} isn't a folder of a service.`));
  }
  const { deployment } = found;
  const ends: SyncEnds = {
    folder: folder.path,
    deployment: deployment.id,
    service: found.service,
    target,
  };
  const baseFile = createSyncBaseFile(folders.state, service.stateKey, ends);
  const holder = options.dryRun ? undefined : await baseFile.lock();
  if (holder !== undefined) {
    const sentence = `Another sync from this folder to ${place} is running (process ${holder}).`;
    return output.fail({
      ...failureProblem(sentence, 'End it first.', 'conflict'),
      exit: exitCodes.conflict,
    });
  }
  const session = createSyncSession({
    client,
    ends,
    baseFile,
    base: await baseFile.read(),
    deletes: flags.delete,
    now: () => clock.now(),
    signal,
  });
  const label = deploymentLabel(deployment);
  const run: SyncRun = {
    context,
    session,
    deployment,
    service: found.service,
    target,
    record: createRestartRecord(context),
    label,
    root: folder.path,
    folder: typedFolder,
    place: joinServicePath({ deployment: label, service: found.service, path: undefined }),
    flags,
  };
  try {
    return await planAndSend(run, { ...ends, shown: place });
  } finally {
    await session.close();
    await baseFile.unlock();
  }
}

function watchProblem({ wait, prove }: SyncFlags): CommandProblem | undefined {
  if (prove) return usageProblem('--prove watches one restart, and --watch continues after it.');
  if (!wait) return undefined;
  return usageProblem('--wait waits for one restart, and --watch continues after it.');
}

/** With `--json`, stderr has nothing but problems. */
function withoutNotes(context: ServiceCommandContext): ServiceCommandContext {
  return { ...context, output: { ...context.output, note: () => undefined } };
}

type LocalFolder =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly reason: string };

async function localFolder(typed: string): Promise<LocalFolder> {
  try {
    const real = await realpath(typed);
    const isFolder = (await stat(real)).isDirectory();
    return isFolder ? { ok: true, path: real } : { ok: false, reason: 'it is not a folder' };
  } catch (error) {
    return { ok: false, reason: describeLocalError(error) };
  }
}

async function planAndSend(
  run: SyncRun,
  ends: SyncEnds & { readonly shown: string },
): Promise<ExitCode> {
  const { context, session, flags, folder } = run;
  const { confirm, options, output, signal } = context;
  const read = await session.readLocal();
  if (!read.ok) return output.fail(failureProblem(`Can't read ${folder}: ${read.reason}.`));
  const planned = await session.plan(read.state);
  if (!planned.ok) return output.fail(requestProblem(planned.error));
  const { plan } = planned;
  await noteEarlier(run);
  await printPlan(run, ends, read.state, plan);
  if (options.dryRun) {
    const { conflicts, refused } = plan;
    const exits: ExitCode[] = [];
    if (conflicts.length > 0) {
      exits.push(output.fail(foreignChangesProblem(conflicts, run.place, context)));
    }
    if (refused.length > 0) exits.push(output.fail(filesProblem(refused)));
    return worstExitCode(exits);
  }
  const approval = approvalOf({
    plan,
    ends: `${folder} to ${ends.shown}`,
    watches: flags.watch,
    yes: options.yes,
    maxDelete: flags['max-delete'],
  });
  if (approval.kind === 'refused') return output.fail(approval.problem);
  const problem = approval.kind === 'ask' ? await confirm.ask(approval.question) : undefined;
  if (problem !== undefined) return output.fail(problem);
  if (signal.aborted) return exitCodes.failed;
  return flags.watch ? watchSync(run, read.state, plan) : runOnce(run, read.state, plan);
}

/** Tells of files that are not applied since an earlier run, which a plan can't show. */
async function noteEarlier({ context, deployment, record, label }: SyncRun): Promise<void> {
  const entries = await record.earlier(deployment);
  if (entries.length === 0) return;
  const count = fileCount(new Set(entries.flatMap(({ files }) => files.map(fileKey))).size);
  const next = `Unapplied until it restarts: ${restartLine(context, deployment)}`;
  context.output.note(`${label} has not restarted since earlier changes (${count}). ${next}`);
}

function fileKey(file: ChangedFile): string {
  return JSON.stringify([file.service, file.path]);
}

/** Prints what a sync does and leaves, and counts what is ignored. */
async function printPlan(
  { context: { options, output } }: SyncRun,
  { folder, deployment, service, target }: SyncEnds,
  { tree }: FolderState,
  plan: SyncPlan,
): Promise<void> {
  const records = planRecords(plan, tree);
  if (options.json) {
    await output.result([], {
      folder,
      deployment,
      service,
      target,
      counts: { ...planCounts(records), ignored: tree.ignored },
      files: records,
    });
    return;
  }
  if (!options.quiet) await output.list(records, planView);
  output.note(planSummary(records, tree.ignored));
}

/**
 * Returns the path of a folder on a service, without slashes at its ends; empty for the root, and
 * undefined for a path that no URL can address.
 */
function targetFolder(typed: string | undefined): string | undefined {
  const folder = (typed ?? '').replace(/^(?:\.?\/)+/, '').replace(/\/+$/, '');
  if (folder === '' || folder === '.') return '';
  return isRequestablePath(folder) ? folder : undefined;
}

/** Rounds for files that change while they are sent. */
const rounds = 3;

/** Sends a plan, and again what changed meanwhile. Returns the exit code. */
async function runOnce(run: SyncRun, state: FolderState, firstPlan: SyncPlan): Promise<ExitCode> {
  const { context } = run;
  const { output, signal } = context;
  const beganAt = context.clock.now();
  const conflicts = new Map<string, SyncConflict>();
  const failures = new Map<string, SyncFailure>();
  let error: ServiceError | undefined;
  let unsaved: string | undefined;
  const written: SyncWrite[] = [];
  let current = state;
  let plan = firstPlan;
  for (let round = 1; ; round += 1) {
    const before = written.length;
    const total = plan.creates.length + plan.updates.length;
    const onProgress = (count: number): void => {
      if (count < total) output.note(`Sent ${before + count} of ${before + total} files.`);
    };
    const sent = await sendPlan(run, plan, { onProgress });
    written.push(...sent.written);
    for (const each of [...plan.conflicts, ...sent.conflicts]) conflicts.set(each.path, each);
    for (const each of [...plan.refused, ...sent.failures]) failures.set(each.path, each);
    ({ unsaved, stoppedBy: error } = sent);
    if (error !== undefined || unsaved !== undefined || signal.aborted) break;
    const postponed = [...current.unstable, ...sent.postponed];
    if (postponed.length === 0) break;
    if (round === rounds) {
      for (const path of postponed) failures.set(path, { path, reason: 'it keeps changing' });
      break;
    }
    const next = await planOnly(run, new Set(postponed));
    if (next === undefined) break;
    ({ state: current, plan } = next);
  }
  const unreadable = current.tree.unreadable;
  if (written.length > 0) output.note(sentSummary(written));
  const exits: ExitCode[] = [];
  if (conflicts.size > 0) {
    exits.push(output.fail(foreignChangesProblem([...conflicts.values()], run.place, context)));
  }
  const notSynced = [...failures.values(), ...unreadable];
  if (notSynced.length > 0) exits.push(output.fail(filesProblem(notSynced)));
  if (unsaved !== undefined) exits.push(output.fail(failureProblem(unsaved)));
  if (error !== undefined) {
    exits.push(output.fail(requestProblem(error, 'The same sync, run again,')));
  }
  if (written.length > 0)
    exits.push(
      await restartWritten(
        context,
        writtenFiles(run, written),
        { ...run.flags, beganAt },
        run.record,
      ),
    );
  return worstExitCode(exits);
}

/** Plans again, only for files that were postponed. */
async function planOnly(
  { session }: SyncRun,
  paths: ReadonlySet<string>,
): Promise<{ readonly state: FolderState; readonly plan: SyncPlan } | undefined> {
  const read = await session.readLocal();
  if (!read.ok) return undefined;
  const planned = await session.plan(read.state);
  if (!planned.ok) return undefined;
  const { plan } = planned;
  const isWanted = ({ path }: { readonly path: string }): boolean => paths.has(path);
  return {
    state: { ...read.state, unstable: read.state.unstable.filter((path) => paths.has(path)) },
    plan: {
      ...plan,
      creates: plan.creates.filter(isWanted),
      updates: plan.updates.filter(isWanted),
      deletes: [],
    },
  };
}
