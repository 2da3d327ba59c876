/** Sends every change of a folder until it is ended by a signal. */
import { isPassing } from '../passing-errors.ts';
import type { ServiceError } from '../../client/http/errors.ts';
import { defaultRestartDelay } from '../../contract/restart-delay.ts';
import { failureProblem, requestProblem } from '../command-problem.ts';
import { noteUnapplied, notRestartedProblem } from '../files/restart-written.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { nextCommand } from '../output/next-command.ts';
import { createFolderWatcher } from './folder-watcher.ts';
import { fileCount, sentSummary } from './plan-records.ts';
import type { SyncConflict, SyncPlan } from './plan-sync.ts';
import type { SentSync, SyncFailure } from './send-sync.ts';
import { freeDeletions } from './sync-approval.ts';
import { foreignChangesProblem, filesProblem } from './sync-problems.ts';
import { sendPlan, type SyncRun } from './sync-run.ts';
import type { FolderState } from './sync-session.ts';

/** Milliseconds between looks at a folder that tells no changes, such as one of a network. */
const idleInterval = 30_000;

/** Milliseconds until another look: at files that change, and before deletions. */
const shortInterval = 1000;

/** Milliseconds until another request to a service that is away; doubled with each. */
const firstBackoff = 1000;
const longestBackoff = 30_000;

/** Watches the folder of a sync. The first pass sends the plan that was approved. */
export async function watchSync(
  run: SyncRun,
  state: FolderState,
  plan: SyncPlan,
): Promise<ExitCode> {
  const { root, context } = run;
  const { clock, signal } = context;
  const watcher = createFolderWatcher({ root, clock, signal });
  try {
    watcher.follow(state.tree.folders);
    return await new SyncWatch(run, watcher, plan).run();
  } finally {
    watcher.close();
  }
}

type Watcher = ReturnType<typeof createFolderWatcher>;

/** The passes of one watch, and the times of the next ones. */
class SyncWatch {
  readonly #run: SyncRun;
  readonly #watcher: Watcher;
  /** Milliseconds from the last write to the restart; undefined without restarts. */
  readonly #restartDelay: number | undefined;
  #isFirst = true;
  #firstDeletions: number;
  /** The folder as the last complete pass saw it; undefined while another pass is due. */
  #seen: string | undefined;
  #restartAt: number | undefined;
  #hasUnapplied = false;
  #retryAt: number | undefined;
  #backoff = firstBackoff;
  #isAway = false;
  #isFolderGone = false;
  #isTooLarge = false;
  #held = 0;
  /** Conflicts and failures that have been named. */
  #named = new Set<string>();

  constructor(run: SyncRun, watcher: Watcher, plan: SyncPlan) {
    this.#run = run;
    this.#watcher = watcher;
    this.#firstDeletions = plan.deletes.length;
    const { restartDelay = defaultRestartDelay } = run.context.service;
    const delay = restartDelay === 'off' ? undefined : restartDelay;
    const { restart } = run.flags;
    this.#restartDelay =
      restart === 'none' ? undefined : restart === 'now' ? (delay ?? defaultRestartDelay) : delay;
  }

  async run(): Promise<ExitCode> {
    const { context, folder } = this.#run;
    const { output, signal } = context;
    let exit = await this.#pass(true);
    output.note(`Watching ${folder}. Ctrl-C ends.`);
    while (exit === undefined && !signal.aborted) {
      const event = await this.#watcher.next(this.#timeout());
      if (event === 'aborted') break;
      exit = await this.#pass(event === 'timeout');
      if (exit === undefined && this.#restartAt !== undefined && this.#now() >= this.#restartAt) {
        await this.#restart();
      }
    }
    if (this.#hasUnapplied) this.#tellUnapplied();
    return exit ?? exitCodes.failed;
  }

  #tellUnapplied(): void {
    const { context, deployment } = this.#run;
    if (this.#restartDelay === undefined) noteUnapplied(context, deployment);
    else context.output.fail(notRestartedProblem(context, deployment));
  }

  #now(): number {
    return this.#run.context.clock.now();
  }

  #timeout(): number {
    const times = [this.#restartAt, this.#retryAt].filter((time) => time !== undefined);
    return Math.max(0, Math.min(idleInterval, ...times.map((time) => time - this.#now())));
  }

  /**
   * Sends what changed. Resolves with an exit code where watching can't go on.
   * @param isQuiet true where nothing has changed for a while, so that missing files are gone.
   */
  async #pass(isQuiet: boolean): Promise<ExitCode | undefined> {
    const { context, folder, session } = this.#run;
    const { output } = context;
    if (this.#isAway && this.#retryAt !== undefined && this.#now() < this.#retryAt)
      return undefined;
    this.#retryAt = undefined;
    const read = await session.readLocal();
    if (!read.ok) {
      if (!this.#isFolderGone) output.note(`${folder}: ${read.reason}. Waiting for it.`);
      this.#isFolderGone = true;
      this.#lookAgain();
      return undefined;
    }
    this.#isFolderGone = false;
    const { state } = read;
    this.#follow(state);
    const seen = fingerprint(state);
    if (seen === this.#seen) return undefined;
    this.#seen = seen;
    const planned = await session.plan(state);
    if (!planned.ok) return this.#failed(planned.error);
    this.#back();
    const { conflicts, refused } = planned.plan;
    this.#name(conflicts, [...refused, ...state.tree.unreadable]);
    const plan = this.#limited(planned.plan, isQuiet);
    const sent = await sendPlan(this.#run, plan, { restartDelay: this.#restartDelay });
    await this.#report(plan, sent);
    if (sent.unsaved !== undefined) return output.fail(failureProblem(sent.unsaved));
    if (sent.stoppedBy !== undefined) return this.#failed(sent.stoppedBy);
    if (sent.postponed.length + state.unstable.length > 0) this.#lookAgain();
    this.#isFirst = false;
    return undefined;
  }

  #lookAgain(): void {
    this.#seen = undefined;
    this.#retryAt = this.#now() + shortInterval;
  }

  #follow({ tree }: FolderState): void {
    const watcher = this.#watcher;
    watcher.follow(tree.folders);
    if (!watcher.isIncomplete) return;
    if (!this.#isTooLarge) {
      this.#run.context.output.note(
        `The system watches no more folders; ${this.#run.folder} is read every second instead.`,
      );
    }
    this.#isTooLarge = true;
    this.#retryAt = this.#now() + shortInterval;
  }

  /** Returns the plan without deletions that are too many, or that a moment of quiet must confirm. */
  #limited(plan: SyncPlan, isQuiet: boolean): SyncPlan {
    const { deletes } = plan;
    const free = this.#run.flags['max-delete'] ?? freeDeletions;
    const most = this.#isFirst ? Math.max(free, this.#firstDeletions) : free;
    if (deletes.length > most) {
      if (this.#held !== deletes.length) {
        const next = `To delete ${fileCount(deletes.length)}, end this sync and start it again.`;
        this.#run.context.output.note(`More than ${most} deletions are not made. ${next}`);
      }
      this.#held = deletes.length;
      return { ...plan, deletes: [] };
    }
    this.#held = 0;
    if (isQuiet || deletes.length === 0 || deletes.some(({ clearsWay }) => clearsWay)) return plan;
    this.#lookAgain();
    return { ...plan, deletes: [] };
  }

  async #report(plan: SyncPlan, sent: SentSync): Promise<void> {
    const { output } = this.#run.context;
    this.#name([...plan.conflicts, ...sent.conflicts], sent.failures);
    // A write without an answer may need the restart as well.
    if (sent.written.length > 0 || sent.stoppedBy?.unknownOutcome === true) {
      this.#hasUnapplied = true;
      if (this.#restartDelay !== undefined) this.#restartAt = this.#now() + this.#restartDelay;
    }
    if (sent.written.length === 0) return;
    if (this.#isFirst) output.note(sentSummary(sent.written));
    for (const record of this.#isFirst ? [] : sent.written) {
      await output.result([`${record.action} ${record.path}`], { ...record });
    }
  }

  /** Names conflicts and failures that are new. */
  #name(conflicts: readonly SyncConflict[], failures: readonly SyncFailure[]): void {
    const { context, place } = this.#run;
    const isNew = ({ path, reason }: SyncConflict): boolean =>
      !this.#named.has(JSON.stringify([path, reason]));
    const newConflicts = conflicts.filter(isNew);
    const newFailures = failures.filter(isNew);
    if (newConflicts.length > 0)
      context.output.fail(foreignChangesProblem(newConflicts, place, context));
    if (newFailures.length > 0) context.output.fail(filesProblem(newFailures));
    for (const { path, reason } of [...newConflicts, ...newFailures]) {
      this.#named.add(JSON.stringify([path, reason]));
    }
  }

  /** Waits for a service that is away; ends the watch for any other error. */
  #failed(error: ServiceError): ExitCode | undefined {
    const { output, signal } = this.#run.context;
    this.#seen = undefined;
    if (signal.aborted) return undefined;
    if (!isPassing(error)) return output.fail(requestProblem(error));
    this.#wait(error);
    return undefined;
  }

  #wait(error: ServiceError): void {
    if (!this.#isAway) this.#run.context.output.note(`${error.sentence} Retrying.`);
    this.#isAway = true;
    this.#retryAt = this.#now() + this.#backoff;
    this.#backoff = Math.min(this.#backoff * 2, longestBackoff);
  }

  #back(): void {
    const { client, output } = this.#run.context;
    if (this.#isAway) output.note(`${client.host} answers again.`);
    this.#isAway = false;
    this.#backoff = firstBackoff;
  }

  async #restart(): Promise<void> {
    const { client, output } = this.#run.context;
    const { deployment, label, record } = this.#run;
    const restarted = await client.deployments.restart(deployment.id);
    if (restarted.ok) {
      this.#back();
      await record.restarted(deployment);
      output.note(`${label} is restarting.`);
    } else if (isPassing(restarted.error) && !restarted.error.unknownOutcome) {
      this.#wait(restarted.error);
      this.#restartAt = this.#retryAt;
      return;
    } else {
      await record.failed(deployment);
      output.fail(
        requestProblem(restarted.error, nextCommand(this.#run.context, `logs ${deployment.id}`)),
      );
    }
    this.#restartAt = undefined;
    this.#hasUnapplied = !restarted.ok;
  }
}

/** Returns a text that differs when there is something to send, or to look at. */
function fingerprint({ local, tree, unstable }: FolderState): string {
  const files = Array.from(local, ([path, { hash }]) => [path, hash]);
  return JSON.stringify([files, [...tree.hidden], unstable, tree.unreadable]);
}
