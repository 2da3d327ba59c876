/** The most urgent word about each deployment, which its row shows and the default order sorts by. */
import type { Deployment } from '../../contract/deployments.ts';
import type { Restart } from '../restarts/state.ts';
import type { AlertKind } from './alert-kinds.ts';

/** Kinds of conditions, most urgent first. */
const kinds = [
  'crashing',
  'failed',
  'restart failed',
  'restart unconfirmed',
  'worse',
  'rolled back',
  'counting',
  'restarting',
  'proving',
  'unapplied',
  'unclear',
  'own',
] as const;

export type ConditionKind = (typeof kinds)[number];

/** The condition of a deployment. */
export interface Condition {
  readonly kind: ConditionKind;
  /** The word of the service for `failed` and `own`; else the word of the condition. */
  readonly word: string;
  /** Exit code of a crashing or failed service. */
  readonly exitCode?: number | undefined;
}

/** Words of services for a deployment or a service that does not work. */
const failure = /fail|error|crash|unhealthy|back-?off|node lost/i;

/** Returns true for the word of our host on a cluster for an instance whose node does not answer. */
export function isNodeLost(state: string): boolean {
  return state.toLowerCase() === 'node lost';
}

/** Most words whose meaning is remembered; a service has a few, but may send any. */
const mostWords = 1000;
const failures = new Map<string, boolean>();

/** Returns whether a state of a service means that something does not work. */
function isFailure(state: string | undefined): boolean {
  if (state === undefined) return false;
  let isKnown = failures.get(state);
  if (isKnown === undefined) {
    isKnown = failure.test(state);
    if (failures.size >= mostWords) failures.clear();
    failures.set(state, isKnown);
  }
  return isKnown;
}

/** A word about the proof of the last restart: under way, or its verdict. */
export type ProofWord = 'proving' | 'errors up' | 'crashed' | 'unchanged' | 'unclear';

/**
 * Returns the condition of a deployment.
 * @param isCrashing whether its starts show a crash loop.
 * @param proof the word about the proof of its last restart.
 */
export function conditionOf(
  deployment: Deployment,
  isCrashing: boolean,
  restart: Restart | undefined,
  proof?: ProofWord,
): Condition {
  const { state } = deployment;
  if (isFinal(state)) return { kind: 'own', word: state ?? '' };
  // A restart that was sent is the answer to a failure, so that its row tells that it is under way.
  if (restart?.kind === 'restarting') return { kind: 'restarting', word: 'restarting' };
  if (isCrashing) return { kind: 'crashing', word: 'crashing', ...failureFacts(deployment) };
  const failed = isFailure(state)
    ? state
    : deployment.services.find((service) => isFailure(service.state))?.state;
  if (failed !== undefined) {
    // The exit code of a lost instance is that of an earlier run.
    const facts = isNodeLost(failed) ? {} : failureFacts(deployment);
    return { kind: 'failed', word: failed, ...facts };
  }
  const kind = kindOfRestart(restart);
  // The answer to a restart is earlier than its end on the service.
  if (deployment.rolledBack !== undefined && kind === undefined) {
    return { kind: 'rolled back', word: 'rolled back' };
  }
  // Changes that wait for a restart will have a verdict of their own.
  if (proof !== undefined && (kind === undefined || kind === 'unapplied')) {
    if (proof === 'errors up' || proof === 'crashed') return { kind: 'worse', word: proof };
    if (proof === 'proving') return { kind: proof, word: 'checking' };
    if (kind === undefined && proof === 'unclear') return { kind: proof, word: proof };
  }
  if (kind === undefined) return { kind: 'own', word: state ?? '' };
  return { kind, word: kind === 'counting' ? 'restart' : kind };
}

/** Returns the kind of the alert that a condition raises; undefined where it raises none. */
export function alertOf({ kind }: Condition): AlertKind | undefined {
  switch (kind) {
    case 'crashing':
    case 'failed':
    case 'restart failed':
    case 'restart unconfirmed':
    case 'worse':
      return kind;
    case 'rolled back':
    case 'counting':
    case 'restarting':
    case 'proving':
    case 'unapplied':
    case 'unclear':
    case 'own':
      return undefined;
  }
}

const finalStates = new Set(['closed', 'terminated', 'deleted']);

function isFinal(state: string | undefined): boolean {
  return state !== undefined && finalStates.has(state.toLowerCase());
}

function kindOfRestart(restart: Restart | undefined): ConditionKind | undefined {
  switch (restart?.kind) {
    case 'failed':
      return 'restart failed';
    case 'unknown':
      return 'restart unconfirmed';
    case 'counting':
      return 'counting';
    case 'restarting':
      return 'restarting';
    case 'unapplied':
    case 'owed':
      return 'unapplied';
    case undefined:
      return undefined;
  }
}

/**
 * Returns the exit code of a failure, where the service tells it. The number of restarts is no part
 * of a condition: it changes with every crash, while the row keeps its word and its place.
 */
function failureFacts({ services }: Deployment): Pick<Condition, 'exitCode'> {
  const codes = services.flatMap(({ exitCode }) => exitCode ?? []);
  const exitCode = codes.find((code) => code !== 0) ?? codes[0];
  return exitCode === undefined ? {} : { exitCode };
}

/** Ranks of the services' own words after the conditions; other words rank as running. */
const ownRanks: ReadonlyMap<string, number> = new Map([
  ['suspended', 0],
  ['stopped', 2],
  ['exited', 2],
]);
const runningRank = 1;
const finalRank = 3;

/** Returns the place of a condition in the order of attention, most urgent first: one character. */
export function attentionRank({ kind, word }: Condition): string {
  if (kind !== 'own') return String.fromCharCode(0x41 + kinds.indexOf(kind));
  const own = isFinal(word) ? finalRank : (ownRanks.get(word.toLowerCase()) ?? runningRank);
  return String.fromCharCode(0x41 + kinds.length + own);
}

/** Returns whether two conditions show the same. */
export function isSameCondition(left: Condition, right: Condition): boolean {
  return left.kind === right.kind && left.word === right.word && left.exitCode === right.exitCode;
}
