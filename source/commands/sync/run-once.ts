/** Sends a plan once, and restarts the deployment after the last write. */
import type { ServiceError } from '../../client/http/errors.ts';
import { failureProblem, requestProblem } from '../command-problem.ts';
import { type ExitCode, worstExitCode } from '../exit-codes.ts';
import { restartWritten } from '../files/restart-written.ts';
import { sentSummary } from './plan-records.ts';
import type { SyncConflict, SyncPlan } from './plan-sync.ts';
import type { SyncFailure, SyncWrite } from './send-sync.ts';
import { foreignChangesProblem, filesProblem } from './sync-problems.ts';
import { sendPlan, type SyncRun, writtenFiles } from './sync-run.ts';
import type { FolderState } from './sync-session.ts';

/** Rounds for files that change while they are sent. */
const rounds = 3;

/** Sends a plan, and again what changed meanwhile. Returns the exit code. */
export async function runOnce(
  run: SyncRun,
  state: FolderState,
  firstPlan: SyncPlan,
): Promise<ExitCode> {
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
