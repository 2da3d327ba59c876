/** Runs `files sync`: finds both ends, shows the plan, asks, and sends. */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { describeLocalError } from '../../client/local-reason.ts';
import { isRequestablePath } from '../../contract/routes.ts';
import { SyncBaseFile } from '../../disk/sync-bases.ts';
import { deploymentLabel } from '../../store/deployments/deployments.ts';
import {
  CommandFailure,
  failureProblem,
  notFoundProblem,
  requestedValue,
  requestProblem,
  usageProblem,
} from '../command-problem.ts';
import { type ExitCode, exitCodes, worstExitCode } from '../exit-codes.ts';
import { needsExactNames } from '../files/ask-to-write.ts';
import { assertRestartFlags } from '../files/restart-flags.ts';
import { restartLine, restartWritten } from '../files/restart-written.ts';
import { createDeploymentFinder } from '../names/find-deployment.ts';
import { findService } from '../names/find-service.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';
import type { CommandWords } from '../table/command-spec.ts';
import type { FolderState } from './local-folder.ts';
import { itemsOf, type SyncItem, type SyncPlan } from './plan-sync.ts';
import {
  approvalOf,
  fileCount,
  planCounts,
  planRows,
  planSummary,
  planView,
  sentSummary,
} from './sync-report.ts';
import { type SyncFlags, SyncRun } from './sync-run.ts';
import { SyncSession } from './sync-session.ts';
import { SyncWatch } from './watch-sync.ts';

/** Sends the changed files of a folder to a service. Returns the exit code. */
export async function runSync(
  given: ServiceCommandContext,
  { args: [folder = '', place = ''], flags }: CommandWords<SyncFlags>,
): Promise<ExitCode> {
  // With --json, stderr has nothing but problems.
  const quiet = { ...given.output, note: () => undefined };
  const context = given.options.json ? { ...given, output: quiet } : given;
  const { client, cwd, folders, options, service, signal } = context;
  assertFlags(flags);
  const root = await realpath(path.resolve(cwd, folder)).catch((error: unknown) => {
    throw new CommandFailure(notFoundProblem(`${folder}: ${describeLocalError(error)}.`));
  });
  const finder = createDeploymentFinder(client, signal);
  const needsExact = needsExactNames(context);
  const found = await findService(place, finder, { path: 'optional', needsExact });
  const target = targetFolder(found.path ?? '');
  if (target === undefined) {
    throw new CommandFailure(usageProblem(`${found.path} isn't a folder of a service.`));
  }
  const { deployment } = found;
  const ends = { folder: root, deployment: deployment.id, service: found.service, target };
  const baseFile = new SyncBaseFile(folders.state, service.stateKey, ends);
  const holder = options.dryRun ? undefined : await baseFile.lock();
  if (holder !== undefined) {
    const sentence = `Another sync from this folder to ${place} is running (process ${holder}).`;
    const problem = failureProblem(sentence, 'End it first.', 'conflict');
    throw new CommandFailure({ ...problem, exit: exitCodes.conflict });
  }
  try {
    const base = await baseFile.read();
    const session = new SyncSession(client.files, baseFile, base, flags.delete, signal);
    const run = new SyncRun(context, session, deployment, folder, flags);
    return await planAndSend(run, `${folder} to ${place}`);
  } finally {
    await baseFile.unlock();
  }
}

function assertFlags(flags: SyncFlags): void {
  const { watch, wait, prove } = flags;
  if (watch && (wait || prove)) {
    const flag = prove ? '--prove watches' : '--wait waits for';
    const sentence = `${flag} one restart, and --watch continues after it.`;
    throw new CommandFailure(usageProblem(sentence));
  }
  assertRestartFlags(flags);
}

/**
 * Returns the path of a folder on a service, without slashes at its ends; empty for the root, and
 * undefined for a path that no URL can address.
 */
function targetFolder(typed: string): string | undefined {
  const folder = typed.replace(/^(?:\.?\/)+/, '').replace(/\/+$/, '');
  if (folder === '' || folder === '.') return '';
  return isRequestablePath(folder) ? folder : undefined;
}

async function planAndSend(run: SyncRun, ends: string): Promise<ExitCode> {
  const { context, session, flags, folder } = run;
  const { confirm, options, signal } = context;
  const read = await session.local.read();
  if (!read.ok) throw new CommandFailure(failureProblem(`Can't read ${folder}: ${read.reason}.`));
  const { state } = read;
  const planned = requestedValue(await session.plan(state));
  const { items } = planned;
  await noteEarlier(run);
  await printPlan(run, state, items);
  if (options.dryRun) return worstExitCode(run.name([...items, ...state.unsynced]));
  const files = state.files.size;
  const approval = approvalOf({ items, ends, files, flags, yes: options.yes });
  if (approval !== undefined) {
    if ('exit' in approval) throw new CommandFailure(approval);
    await confirm.ask(approval);
  }
  if (signal.aborted) return exitCodes.failed;
  const deletions = itemsOf(items, 'delete').length;
  return flags.watch ? new SyncWatch(run, deletions).run() : runOnce(run, state, planned);
}

/** Tells of files that are not applied since an earlier run, which a plan can't show. */
async function noteEarlier({ context, deployment, record }: SyncRun): Promise<void> {
  const entries = await record.earlier(deployment);
  const files = entries.flatMap((entry) => entry.files.map((file) => [file.service, file.path]));
  const count = fileCount(new Set(files.map((file) => JSON.stringify(file))).size);
  if (entries.length === 0) return;
  const next = `Unapplied until it restarts: ${restartLine(context, deployment)}`;
  const label = deploymentLabel(deployment);
  context.output.note(`${label} has not restarted since earlier changes (${count}). ${next}`);
}

/** Prints what a sync does and leaves, and counts what is ignored. */
async function printPlan(
  { context: { options, output }, session }: SyncRun,
  { unsynced, ignored }: FolderState,
  items: readonly SyncItem[],
): Promise<void> {
  const rows = planRows([...items, ...unsynced]);
  if (options.json) {
    const counts = { ...planCounts(rows), ignored };
    await output.result([], { ...session.ends, counts, files: rows });
    return;
  }
  if (!options.quiet) await output.list(rows, planView);
  output.note(planSummary(rows, ignored));
}

/** Sends a plan, and restarts after it. Returns the exit code. */
async function runOnce(run: SyncRun, state: FolderState, plan: SyncPlan): Promise<ExitCode> {
  const { context, flags, record } = run;
  const { output } = context;
  const beganAt = context.clock.now();
  const { written, left, stoppedBy } = await run.send(plan, state);
  if (written.length > 0) output.note(sentSummary(written));
  const exits = [...run.name([...plan.items, ...left, ...state.unsynced])];
  if (stoppedBy !== undefined) {
    exits.push(output.fail(requestProblem(stoppedBy, 'The same sync, run again,')));
  }
  if (written.length > 0) {
    const files = written.map((item) => run.fileOf(item));
    exits.push(await restartWritten(context, files, { ...flags, beganAt }, record));
  }
  return worstExitCode(exits);
}
