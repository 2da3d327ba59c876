/** Everything that sending a plan needs, once or while watching. */
import type { Deployment } from '../../contract/deployments.ts';
import { keepVersions, type KeptFile } from '../files/keep-versions.ts';
import type { RestartChoice } from '../files/restart-flags.ts';
import type { RestartRecord, UnappliedFile } from '../files/restart-record.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';
import type { SyncPlan } from './plan-sync.ts';
import type { SentSync } from './send-sync.ts';
import type { SyncSession } from './sync-session.ts';

export interface SyncFlags extends RestartChoice {
  readonly watch: boolean;
  readonly delete: boolean;
  readonly 'max-delete': number | undefined;
}

export interface SyncRun {
  readonly context: ServiceCommandContext;
  readonly session: SyncSession;
  readonly deployment: Deployment;
  readonly service: string;
  /** Folder of the service; empty for its root. */
  readonly target: string;
  readonly record: RestartRecord;
  /** Name of the deployment, for messages. */
  readonly label: string;
  /** Real path of the local folder. */
  readonly root: string;
  /** The local folder as it was typed. */
  readonly folder: string;
  /** The service in the form of an argument, such as `shop/web`. */
  readonly place: string;
  readonly flags: SyncFlags;
}

export interface SendPlanOptions {
  readonly onProgress?: (uploaded: number) => void;
  /** Milliseconds from the last write to the restart; undefined where none follows by itself. */
  readonly restartDelay?: number | undefined;
}

/**
 * Sends a plan. Before the first write its restart is in the restart journal, unless none is wanted.
 * An upload without an answer counts as written there.
 */
export async function sendPlan(
  run: SyncRun,
  plan: SyncPlan,
  { onProgress, restartDelay }: SendPlanOptions = {},
): Promise<SentSync> {
  const { context, session, record, flags, place } = run;
  const total = [...plan.creates, ...plan.updates].reduce(
    (sum, { content: { size } }) => sum + size,
    0,
  );
  const reports = { onProgress, onBytes: context.output.transfer(place, total) };
  if (flags.restart === 'none') return session.send(plan, reports);
  const planned = writtenFiles(run, [...plan.creates, ...plan.updates, ...plan.deletes]);
  const kept = await keepVersions(context, keptFiles(run, plan), flags);
  if (kept.problem !== undefined)
    return { ...notSent, base: plan.base, unsaved: kept.problem.sentence };
  await record.expect(planned);
  const sent = await session.send(plan, reports);
  const isUnknown = sent.stoppedBy?.unknownOutcome === true;
  const files = isUnknown ? planned : writtenFiles(run, sent.written);
  await record.written(
    files,
    restartDelay === undefined ? undefined : context.clock.now() + restartDelay,
  );
  return sent;
}

/** Returns the files that a plan replaces or deletes. */
function keptFiles(run: SyncRun, { updates, deletes }: SyncPlan): readonly KeptFile[] {
  if (!run.flags.prove) return [];
  const replaced = writtenFiles(run, updates).map(({ place, path }, index) => {
    const written = updates[index]?.content.hash;
    return { place, path, reason: 'replaced', written } as const;
  });
  const deleted = writtenFiles(run, deletes).map(({ place, path }) => {
    return { place, path, reason: 'deleted', written: undefined } as const;
  });
  return [...replaced, ...deleted];
}

const notSent = {
  written: [],
  conflicts: [],
  failures: [],
  postponed: [],
  stoppedBy: undefined,
} as const;

/** Returns files of the folder as the files of the service that they are sent to. */
export function writtenFiles(
  { deployment, service, target }: SyncRun,
  files: readonly { readonly path: string }[],
): readonly UnappliedFile[] {
  const place = { deployment, service };
  return files.map(({ path }) => ({ place, path: target === '' ? path : `${target}/${path}` }));
}
