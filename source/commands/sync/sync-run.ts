/** A sync as it was asked for: what its plans and its watch share. */
import { defaultRestartDelay } from '../../contract/restart-delay.ts';
import type { Deployment } from '../../contract/deployments.ts';
import { deploymentLabel } from '../../store/deployments/deployments.ts';
import { CommandFailure, failureOr } from '../command-problem.ts';
import type { ExitCode } from '../exit-codes.ts';
import { keepVersions } from '../files/keep-versions.ts';
import type { RestartChoice } from '../files/restart-flags.ts';
import {
  createRestartRecord,
  type RestartRecord,
  type UnappliedFile,
} from '../files/restart-record.ts';
import { joinServicePath } from '../names/service-path.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';
import type { FolderState } from './local-folder.ts';
import { itemsOf, type SyncItem, type SyncPlan } from './plan-sync.ts';
import { syncProblems } from './sync-report.ts';
import { nothingSent, type SentSync, stoppedHere, type SyncSession } from './sync-session.ts';

export interface SyncFlags extends RestartChoice {
  readonly watch: boolean;
  readonly delete: boolean;
  readonly 'max-delete': number | undefined;
}

export class SyncRun {
  readonly context: ServiceCommandContext;
  readonly session: SyncSession;
  readonly deployment: Deployment;
  /** The local folder as it was typed. */
  readonly folder: string;
  readonly flags: SyncFlags;
  readonly record: RestartRecord;

  constructor(
    context: ServiceCommandContext,
    session: SyncSession,
    deployment: Deployment,
    folder: string,
    flags: SyncFlags,
  ) {
    this.context = context;
    this.session = session;
    this.deployment = deployment;
    this.folder = folder;
    this.flags = flags;
    this.record = createRestartRecord(context);
  }

  /** Milliseconds from the last write of a watch to its restart; undefined where none follows. */
  get restartDelay(): number | undefined {
    const { flags } = this;
    const { restartDelay = defaultRestartDelay } = this.context.service;
    if (!flags.watch || flags.restart === 'none') return undefined;
    if (restartDelay !== 'off') return restartDelay;
    return flags.restart === 'now' ? defaultRestartDelay : undefined;
  }

  /** The service in the form of an argument, such as `shop/web`. */
  get place(): string {
    const deployment = deploymentLabel(this.deployment);
    return joinServicePath({ deployment, service: this.session.ends.service, path: undefined });
  }

  /**
   * Sends a plan. Before the first write its restart is in the restart journal, unless none is wanted.
   * An upload without an answer counts as written there.
   */
  async send(plan: SyncPlan, { files }: FolderState): Promise<SentSync> {
    const { context, session, record, flags, restartDelay } = this;
    const changes = itemsOf(plan.items, 'create', 'update', 'delete');
    const total = changes.reduce((sum, { size = 0 }) => sum + size, 0);
    const onBytes = context.output.transfer(this.place, total);
    if (flags.restart === 'none') return session.send(plan, onBytes);
    const lost = itemsOf(changes, 'update', 'delete').map((item) => {
      const { place, path } = this.fileOf(item);
      const reason = item.action === 'delete' ? ('deleted' as const) : ('replaced' as const);
      return { place, path, reason, written: files.get(item.path)?.content.hash };
    });
    const kept = await failureOr(keepVersions(context, lost, flags));
    if (kept instanceof CommandFailure) return nothingSent(stoppedHere(kept.problem.sentence));
    const planned = changes.map((item) => this.fileOf(item));
    await record.expect(planned);
    const sent = await session.send(plan, onBytes);
    const isUnknown = sent.stoppedBy?.unknownOutcome === true;
    await record.written(
      isUnknown ? planned : sent.written.map((item) => this.fileOf(item)),
      restartDelay === undefined ? undefined : context.clock.now() + restartDelay,
    );
    return sent;
  }

  /** Returns the file of the service that an item is sent to. */
  fileOf({ path }: SyncItem): UnappliedFile {
    const { service, target } = this.session.ends;
    const place = { deployment: this.deployment, service };
    return { place, path: target === '' ? path : `${target}/${path}` };
  }

  /** Names what was left alone. Returns the exit codes. */
  name(items: readonly SyncItem[]): readonly ExitCode[] {
    const { context, place } = this;
    return syncProblems(items, place, context).map((problem) => context.output.fail(problem));
  }
}
