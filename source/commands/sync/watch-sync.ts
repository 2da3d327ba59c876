/** Sends every change of a folder until it is ended by a signal. */
import type { ServiceError } from '../../client/http/errors.ts';
import { deploymentLabel } from '../../store/deployments/deployments.ts';
import { requestProblem } from '../command-problem.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { noteUnapplied, notRestartedProblem } from '../files/restart-written.ts';
import { nextCommand } from '../output/next-command.ts';
import { isPassing } from '../passing-errors.ts';
import { FolderWatcher } from './folder-watcher.ts';
import type { FolderState } from './local-folder.ts';
import { itemsOf, type SyncItem, type SyncPlan } from './plan-sync.ts';
import { fileCount, mostDeletions, sentSummary } from './sync-report.ts';
import type { SyncRun } from './sync-run.ts';
import type { SentSync } from './sync-session.ts';

/** Milliseconds between looks at a folder that tells no changes, such as one of a network. */
const idleInterval = 30_000;

/** Milliseconds until another look: at files that change, and before deletions. */
const shortInterval = 1000;

/** Milliseconds until another request to a service that is away; doubled with each. */
const firstBackoff = 1000;
const longestBackoff = 30_000;

/** A watch of the folder of a sync: its passes, and the times of the next ones. */
export class SyncWatch {
  readonly #run: SyncRun;
  readonly #watcher: FolderWatcher;
  /** Deletions that the first complete pass may make; afterwards undefined. */
  #approved: number | undefined;
  /** The folder as the last complete pass saw it; undefined while another pass is due. */
  #seen: string | undefined;
  /** Time of the next pass, changed folder or not. */
  #lookAt = Infinity;
  #restartAt: number | undefined;
  #hasUnapplied = false;
  #backoff = firstBackoff;
  /** Facts that stderr was told and that still hold, by their subjects: the folder, the service, a file. */
  readonly #told = new Map<string, string>();

  /** @param approved deletions of the plan that was confirmed. */
  constructor(run: SyncRun, approved: number) {
    const { clock, signal } = run.context;
    this.#run = run;
    this.#watcher = new FolderWatcher(run.session.ends.folder, clock, signal);
    this.#approved = approved;
    run.session.local.watcher = this.#watcher;
  }

  async run(): Promise<ExitCode> {
    const { context, deployment, folder, restartDelay } = this.#run;
    const { output, signal } = context;
    let exit = await this.#pass(true);
    this.#note(`Watching ${folder}. Ctrl-C ends.`);
    while (exit === undefined && !signal.aborted) {
      const due = Math.min(this.#lookAt, this.#restartAt ?? Infinity) - this.#now;
      const hasChanged = await this.#watcher.next(Math.max(0, Math.min(idleInterval, due)));
      if (signal.aborted) break;
      // A service that is away gets no request before its time, whatever changes.
      const mustWait = this.#told.has('away') && this.#now < this.#lookAt;
      if (!mustWait) exit = await this.#pass(!hasChanged);
      if (exit === undefined && this.#now >= (this.#restartAt ?? Infinity)) await this.#restart();
    }
    this.#watcher.clear();
    if (this.#hasUnapplied) {
      if (restartDelay === undefined) noteUnapplied(context, deployment);
      else output.fail(notRestartedProblem(context, deployment));
    }
    return exit ?? exitCodes.failed;
  }

  get #now(): number {
    return this.#run.context.clock.now();
  }

  /** Returns whether something was not told yet, and counts it as told. */
  #isNews(subject: string, fact = ''): boolean {
    const isNews = this.#told.get(subject) !== fact;
    this.#told.set(subject, fact);
    return isNews;
  }

  #note(sentence: string): void {
    this.#run.context.output.note(sentence);
  }

  #lookAgain(milliseconds = shortInterval): void {
    this.#lookAt = this.#now + milliseconds;
  }

  /**
   * Sends what changed. Resolves with an exit code where watching can't go on.
   * @param isQuiet true where nothing has changed for a while, so that missing files are gone.
   */
  async #pass(isQuiet: boolean): Promise<ExitCode | undefined> {
    const { folder, session } = this.#run;
    this.#lookAt = Infinity;
    const read = await session.local.read();
    if (!read.ok) {
      if (this.#isNews('gone')) this.#note(`${folder}: ${read.reason}. Waiting for it.`);
      this.#seen = undefined;
      this.#lookAgain();
      return undefined;
    }
    this.#told.delete('gone');
    if (this.#watcher.isIncomplete) this.#lookAgain();
    const seen = fingerprint(read.state);
    if (seen === this.#seen) return undefined;
    this.#seen = seen;
    const planned = await session.plan(read.state);
    if (!planned.ok) return this.#failed(planned.error);
    this.#back();
    return this.#send(planned.value, read.state, isQuiet);
  }

  async #send(plan: SyncPlan, state: FolderState, isQuiet: boolean): Promise<ExitCode | undefined> {
    const deletes = itemsOf(plan.items, 'delete').length;
    const isTooMany = this.#areTooMany(deletes, state.files.size);
    // An upload that waits for a deletion is no conflict yet.
    const mustWait = deletes > 0 && !isQuiet && !isTooMany;
    const items = plan.items.filter(({ action }) => action !== 'delete');
    const sent = await this.#run.send(isTooMany || mustWait ? { ...plan, items } : plan, state);
    if (!mustWait) this.#name([...plan.items, ...sent.left, ...state.unsynced]);
    await this.#report(sent);
    if (sent.stoppedBy !== undefined) return this.#failed(sent.stoppedBy);
    if (mustWait || itemsOf([...sent.left, ...state.unsynced], 'unstable').length > 0) {
      this.#seen = undefined;
      this.#lookAgain();
    }
    this.#approved = undefined;
    return undefined;
  }

  /** Tells of deletions that are too many to be made by themselves. */
  #areTooMany(deletes: number, files: number): boolean {
    const { folder, flags } = this.#run;
    const most = Math.max(mostDeletions(flags['max-delete'], files), this.#approved ?? 0);
    if (deletes <= most) {
      this.#told.delete('held');
      return false;
    }
    const held = files === 0 ? `${folder} has no files, so nothing is deleted.` : undefined;
    const next = `To delete ${fileCount(deletes)}, end this sync and start it again.`;
    if (this.#isNews('held', String(deletes))) {
      this.#note(`${held ?? `More than ${most} deletions are not made.`} ${next}`);
    }
    return true;
  }

  /** Names conflicts and failures that are new. */
  #name(items: readonly SyncItem[]): void {
    const left = itemsOf(items, 'conflict', 'refused', 'unreadable');
    this.#run.name(left.filter(({ path, reason }) => this.#isNews(`file ${path}`, reason)));
  }

  async #report({ written, stoppedBy }: SentSync): Promise<void> {
    const { context, restartDelay } = this.#run;
    // A write without an answer may need the restart as well.
    if (written.length > 0 || stoppedBy?.unknownOutcome === true) {
      this.#hasUnapplied = true;
      if (restartDelay !== undefined) this.#restartAt = this.#now + restartDelay;
    }
    for (const { path } of written) this.#told.delete(`file ${path}`);
    if (this.#approved !== undefined) {
      if (written.length > 0) this.#note(sentSummary(written));
      return;
    }
    for (const { action, path } of written) {
      await context.output.result([`${action} ${path}`], { action, path });
    }
  }

  /** Waits for a service that is away; ends the watch for any other error. */
  #failed(error: ServiceError): ExitCode | undefined {
    const { output, signal } = this.#run.context;
    this.#seen = undefined;
    if (signal.aborted) return undefined;
    if (!isPassing(error)) return output.fail(requestProblem(error));
    if (this.#isNews('away')) this.#note(`${error.sentence} Retrying.`);
    this.#lookAgain(this.#backoff);
    this.#backoff = Math.min(this.#backoff * 2, longestBackoff);
    return undefined;
  }

  #back(): void {
    const wasAway = this.#told.delete('away');
    if (wasAway) this.#note(`${this.#run.context.client.host} answers again.`);
    this.#backoff = firstBackoff;
  }

  async #restart(): Promise<void> {
    const { context, deployment, record } = this.#run;
    const restarted = await context.client.deployments.restart(deployment.id);
    this.#restartAt = undefined;
    if (restarted.ok) {
      this.#back();
      this.#hasUnapplied = false;
      await record.restarted(deployment);
      this.#note(`${deploymentLabel(deployment)} is restarting.`);
    } else if (isPassing(restarted.error) && !restarted.error.unknownOutcome) {
      this.#failed(restarted.error);
      this.#restartAt = this.#lookAt;
    } else {
      await record.failed(deployment);
      const next = nextCommand(context, `logs ${deployment.id}`);
      context.output.fail(requestProblem(restarted.error, next));
    }
  }
}

/** Returns a text that differs when there is something to send, or to look at. */
function fingerprint({ files, hidden, unsynced }: FolderState): string {
  const hashes = Array.from(files, ([path, { content }]) => [path, content.hash]);
  return JSON.stringify([hashes, [...hidden], unsynced]);
}
