/** Finds what needs attention now, for row 1, the alert row, `!` and the rules, and words it. */
import type { StoreApi } from 'zustand/vanilla';
import type { Deployment } from '../../contract/deployments.ts';
import type { LowDisk } from '../../contract/disk-header.ts';
import type { Grant } from '../../contract/grants.ts';
import { deploymentLabel, restartCount } from '../deployments/deployments.ts';
import type { EndingSources } from '../grants/ending-search.ts';
import { endingText } from '../grants/ending-text.ts';
import type { GrantEnd } from '../grants/runway.ts';
import type { Listing } from '../lists/listing.ts';
import { rowWithId } from '../lists/row-with-id.ts';
import { formatAge } from '../time/age.ts';
import type { AlertKind } from './alert-kinds.ts';
import type { Attention } from './attention.ts';
import { alertOf, type Condition, isNodeLost } from './condition.ts';

/** Something that needs attention: a failing deployment, an ending grant, a low disk, a rejected token. */
export type Alert =
  | { readonly about: 'deployment' | 'grant'; readonly id: string }
  | { readonly about: 'token' | 'disk' };

/** The parts of a service that may need attention. */
export interface AlertSources extends EndingSources {
  readonly grants: EndingSources['grants'] & Pick<StoreApi<unknown>, 'subscribe'>;
  readonly deployments: Pick<StoreApi<Listing<Deployment>>, 'getState' | 'subscribe'>;
  readonly attention: Pick<Attention, 'state'>;
  /** Returns the space of the service's disk while that is low. */
  readonly lowDisk: () => LowDisk | undefined;
  /** Returns the name of an address; undefined where it has none. */
  readonly nameOf: (address: string) => string | undefined;
}

/** The ends of grants that are near, by the id of the grant. */
export type GrantEndings = ReadonlyMap<string, GrantEnd>;

/** Returns all that needs attention, the most urgent first. */
export function findAlerts(sources: AlertSources, endings: GrantEndings): readonly Alert[] {
  const { attention, deployments, lowDisk } = sources;
  const isRejected = deployments.getState().error?.code === 'unauthorized';
  return [
    ...(isRejected ? [{ about: 'token' } as const] : []),
    ...(lowDisk() === undefined ? [] : [{ about: 'disk' } as const]),
    ...attention.state.getState().alerting.map((id) => ({ about: 'deployment', id }) as const),
    ...Array.from(endings.keys(), (id) => ({ about: 'grant', id }) as const),
  ];
}

export function alertKind({ attention }: AlertSources, alert: Alert): AlertKind | undefined {
  switch (alert.about) {
    case 'deployment': {
      const condition = attention.state.getState().conditions.get(alert.id);
      return condition && alertOf(condition);
    }
    case 'grant':
      return 'grant ending';
    case 'token':
      return 'token rejected';
    case 'disk':
      return 'disk low';
  }
}

/** Words of an alert, and its record. */
export interface AlertText {
  /** A clause, and what is known about it, to follow the clause; without a period. */
  readonly text: string;
  readonly facts: string;
  readonly deployment?: Deployment | undefined;
  readonly grant?: Grant | undefined;
}

/** Words an alert; undefined where its cause has ended. */
export function describeAlert(
  { attention, deployments, grants, clock, lowDisk, nameOf }: AlertSources,
  endings: GrantEndings,
  alert: Alert,
): AlertText | undefined {
  const now = clock.serviceNow();
  switch (alert.about) {
    case 'deployment': {
      const condition = attention.state.getState().conditions.get(alert.id);
      const deployment = rowWithId(deployments.getState().rows, alert.id)?.value;
      if (condition === undefined || deployment === undefined) return undefined;
      const text = failureText(deploymentLabel(deployment), condition);
      return { text, facts: failureFacts(condition, deployment, now), deployment };
    }
    case 'grant': {
      const end = endings.get(alert.id);
      const grant = rowWithId(grants.getState().rows, alert.id)?.value;
      if (grant === undefined || end?.at === undefined) return undefined;
      return { text: endingText(grant, end, nameOf(grant.grantor), now), facts: '', grant };
    }
    case 'disk': {
      const low = lowDisk();
      if (low === undefined) return undefined;
      return { text: 'The disk of the host is low', facts: `: ${mebibytes(low.free)} free` };
    }
    case 'token':
      return { text: 'The service rejected the token (401)', facts: '' };
  }
}

/** Returns the clause about a failing deployment: `payments is crashing`, `Restart of shop failed`. */
export function failureText(label: string, { kind, word }: Condition): string {
  if (kind === 'restart failed') return `Restart of ${label} failed`;
  if (kind === 'restart unconfirmed') return `Restart of ${label} is unconfirmed`;
  if (isNodeLost(word)) return `${label} has lost a node`;
  const isVerb = /^(?:failed|crashed|errored)$/i.test(word);
  return `${label} ${isVerb ? 'has' : 'is'} ${word.toLowerCase()}`;
}

/** Returns what is known about a failure: `: 7 restarts in 2m, exit 1`. */
function failureFacts({ kind, exitCode }: Condition, deployment: Deployment, now: number): string {
  const facts = [
    kind === 'crashing' ? restartsText(deployment, now) : '',
    exitCode === undefined ? '' : `exit ${exitCode}`,
  ].filter((fact) => fact !== '');
  return facts.length === 0 ? '' : `: ${facts.join(', ')}`;
}

/** Milliseconds of life for which the number of restarts says how often they come. */
const youngDeployment = 24 * 60 * 60 * 1000;

/** Returns the restarts of a deployment, with its age while it is young: `7 restarts in 2m`. */
function restartsText({ services, createdAt }: Deployment, now: number): string {
  const count = restartCount(services);
  if (count === undefined) return '';
  const age = now - Date.parse(createdAt ?? '');
  const isYoung = age >= 0 && age < youngDeployment;
  return `${count} restarts${isYoung ? ` in ${formatAge(age)}` : ''}`;
}

/** Returns what a low disk leads to, and what helps. */
export function lowDiskAdvice({ free, kept }: LowDisk): string {
  const effect =
    free < kept
      ? 'New deployments and files are refused.'
      : `Below ${mebibytes(kept)}, new deployments and files are refused.`;
  return `${effect} Close deployments, or free space on the disk of the host.`;
}

const mebibyte = 2 ** 20;

function mebibytes(bytes: number): string {
  return `${Math.floor(bytes / mebibyte).toLocaleString('en')} MiB`;
}
