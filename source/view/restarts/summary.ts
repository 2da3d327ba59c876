import { deploymentLabel, shortId } from '../../store/deployments/deployments.ts';
import type { DraftHead } from '../../store/drafts/drafts.ts';
import { isNewDeployment } from '../../store/drafts/places.ts';
import type { Restart } from '../../store/restarts/state.ts';
import { formatTimeOfDay } from '../../store/time/time-of-day.ts';
import { instanceCounts } from '../text/instances.ts';
import type { Deployment } from '../../contract/deployments.ts';

/** Returns the text of the restart box: the deployment, its services and the last attempt. */
export function restartSummary(
  id: string,
  deployment: Deployment | undefined,
  restart: Restart | undefined,
): { readonly label: string; readonly lines: readonly string[] } {
  if (deployment === undefined) {
    return { label: shortId(id), lines: [`id ${id}`, "The service doesn't list it any more."] };
  }
  const services = deployment.services.map((service) => service.name).join(' ');
  const facts = [
    `id ${id}`,
    deployment.state,
    services === '' ? undefined : `services ${services}`,
    runningText(deployment),
  ].filter((fact) => fact !== undefined);
  const [first = '', ...rest] = facts;
  return {
    label: deploymentLabel(deployment),
    lines: [
      first,
      ...(rest.length > 0 ? [rest.join(', ')] : []),
      ...lastAttemptLines(restart),
      stopsAndStarts(deployment),
    ],
  };
}

/** Returns `1/2 running`, or `1 running` where the service does not count all instances. */
function runningText(deployment: Deployment): string | undefined {
  const { running, all } = instanceCounts(deployment);
  if (running === undefined) return undefined;
  return all === undefined ? `${running} running` : `${running}/${all} running`;
}

/** Returns the effect of a restart: `Stops and starts 2 services.` */
export function stopsAndStarts(deployment: Deployment | undefined): string {
  const { length } = deployment?.services ?? [];
  const services =
    length === 0 ? 'its services' : length === 1 ? '1 service' : `${length} services`;
  return `Stops and starts ${services}.`;
}

/** Returns a sentence on unsaved drafts, which no restart applies; empty without drafts. */
export function draftsSentence(id: string, drafts: Iterable<DraftHead>): string {
  const count = [...drafts].filter(
    (draft) => !isNewDeployment(draft) && draft.deploymentId === id,
  ).length;
  if (count === 0) return '';
  return count === 1
    ? ' 1 unsaved draft is not included.'
    : ` ${count} unsaved drafts are not included.`;
}

function lastAttemptLines(restart: Restart | undefined): readonly string[] {
  switch (restart?.kind) {
    case 'restarting':
      return [`A restart was sent at ${formatTimeOfDay(restart.since)}; no answer yet.`];
    case 'failed':
      return [`Failed at ${formatTimeOfDay(restart.at)}: ${restart.error.sentence}`];
    case 'unknown':
      return [`No answer at ${formatTimeOfDay(restart.at)}: it may have restarted.`];
    case 'counting':
    case 'unapplied':
    case 'owed':
    case undefined:
      return [];
  }
}
