/** Everything that sending a plan needs, once or while watching. */
import type { Deployment } from '../../contract/deployments.ts';
import { restartLine } from '../files/restart-written.ts';
import type { RestartChoice } from '../files/restart-flags.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';
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

/** Tells how to apply what was written without a restart. */
export function noteUnapplied({ context, deployment }: SyncRun): void {
  context.output.note(`Not applied yet. To restart: ${restartLine(context, deployment)}`);
}
