import { type Deployment, deploymentLabel, shortId } from '../../store/deployments/deployments.ts';
import type { DraftHead } from '../../store/drafts/drafts.ts';
import { isNewDeployment } from '../../store/drafts/places.ts';
import type { Restart } from '../../store/restarts/state.ts';
import { formatTimeOfDay } from '../../store/time/time-of-day.ts';
import { instancesText } from '../text/instances.ts';

/** What the restart box says: which deployment, what stops and starts, what came of the last try. */
export function restartSummary(
  id: string,
  deployment: Deployment | undefined,
  restart: Restart | undefined,
): { readonly label: string; readonly lines: readonly string[] } {
  if (deployment === undefined) {
    return { label: shortId(id), lines: [`id ${id}`, 'It is no longer listed by the service.'] };
  }
  const services = deployment.services.map((service) => service.name).join(' ');
  const facts = [
    `id ${id}`,
    deployment.state,
    services === '' ? undefined : `services ${services}`,
    instancesText(deployment) === '-' ? undefined : `${instancesText(deployment)} running`,
  ].filter((fact) => fact !== undefined);
  const [first = '', ...rest] = facts;
  return {
    label: deploymentLabel(deployment),
    lines: [
      first,
      ...(rest.length > 0 ? [rest.join(', ')] : []),
      ...lastTry(restart),
      stopsAndStarts(deployment),
    ],
  };
}

/** What a restart does, as far as the service tells of how many. */
export function stopsAndStarts(deployment: Deployment | undefined): string {
  const { length } = deployment?.services ?? [];
  const what = length === 0 ? 'its services' : length === 1 ? '1 service' : `${length} services`;
  return `Stops and starts ${what}.`;
}

/** Drafts of a deployment's files, which no restart applies: `1 unsaved draft is not in it.` */
export function draftsSentence(id: string, drafts: Iterable<DraftHead>): string {
  const count = [...drafts].filter(
    (draft) => !isNewDeployment(draft) && draft.deploymentId === id,
  ).length;
  if (count === 0) return '';
  return count === 1 ? ' 1 unsaved draft is not in it.' : ` ${count} unsaved drafts are not in it.`;
}

function lastTry(restart: Restart | undefined): readonly string[] {
  switch (restart?.kind) {
    case 'restarting':
      return [`A restart was sent at ${formatTimeOfDay(restart.since)}; no answer yet.`];
    case 'failed':
      return [`Failed at ${formatTimeOfDay(restart.at)}: ${restart.error.sentence}`];
    case 'unknown':
      return [`No answer at ${formatTimeOfDay(restart.at)}: it may have happened.`];
    case 'counting':
    case 'not applied':
    case 'owed':
    case undefined:
      return [];
  }
}
