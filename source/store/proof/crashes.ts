/** Counts the crashes of a run, and tells whether the deployment was restarted again. */
import type { Deployment, Service } from '../../contract/deployments.ts';
import { parseInstant } from '../../contract/instant.ts';
import { conditionOf } from '../alerts/condition.ts';
import { crashesBetween } from '../alerts/starts.ts';

/** A run as its deployment was observed since the restart. */
export interface ObservedRun {
  readonly last: Deployment | undefined;
  readonly crashes: number;
  readonly isRestartedAgain: boolean;
  /** True from the observation on that shows the restart, or that comes long after it. */
  readonly hasRestarted: boolean;
  /** Services whose start by the restart was seen. */
  readonly started: ReadonlySet<string>;
  /**
   * Starts that neither a counter nor an exit code explains, on services that tell no restarts; a single
   * one may be a restart by somebody.
   */
  readonly unexplained: number;
  /** True while the deployment says that it is not running yet. */
  readonly isStarting: boolean;
  /** True while the service goes on replacing the version before, which may run until then. */
  readonly isRollingOut: boolean;
}

/** Milliseconds after which an observation is of the run even where the service tells no start. */
const surelyRestarted = 10_000;

/** Exit codes of a stop: none, and those of SIGINT, SIGKILL and SIGTERM. */
const stopCodes: ReadonlySet<number> = new Set([0, 130, 137, 143]);

/** States of a deployment or a service that does not run yet. */
const startingState =
  /^(?:re)?start(?:ing)?$|pending|creat|provision|pull|initial|building|deploying/i;

/** States of a deployment whose restart is not over. */
const rolloutState = /^(?:restarting|redeploying|rolling|updating)/i;

/** Returns the run before any observation. @param before the deployment before the restart. */
export function unobservedRun(before: Deployment | undefined): ObservedRun {
  return {
    last: before,
    crashes: 0,
    isRestartedAgain: false,
    hasRestarted: false,
    started: new Set(),
    unexplained: 0,
    isStarting: false,
    isRollingOut: false,
  };
}

/**
 * Returns the run after an observation. Crashes count as for the attention. A service that tells times of
 * restarts tells another restart apart from a crash; elsewhere a single start that nothing explains is
 * taken for a restart, and further ones for crashes.
 *
 * @param elapsed milliseconds since the request.
 */
export function observeRun(run: ObservedRun, deployment: Deployment, elapsed: number): ObservedRun {
  const { last } = run;
  if (last === deployment) return run;
  const isTold = deployment.restartedAt !== undefined;
  const isRestart = isTold && last !== undefined && last.restartedAt !== deployment.restartedAt;
  // Some services change the time again when the restart that they have told is done.
  const isAgain = isRestart && run.hasRestarted && !run.isStarting;
  const hasRestarted = run.hasRestarted || isRestart || elapsed >= surelyRestarted;
  // The version before runs until it is stopped, and may crash once more.
  const isOfBefore = isTold && !hasRestarted;
  const started = new Set(run.started);
  let { crashes, unexplained } = run;
  for (const service of isAgain ? [] : deployment.services) {
    const old = last?.services.find(({ name }) => name === service.name);
    if (old === undefined) continue;
    const wasStarted = started.has(service.name);
    if (isOfBefore || startedBefore(service, deployment.restartedAt)) continue;
    if (!wasStarted && !showsStart(old, service, elapsed)) continue;
    started.add(service.name);
    const counted = crashesBetween(old, service, !wasStarted);
    const isCrash = isTold || service.restarts !== undefined || hasFailedExit(service);
    if (isCrash) crashes += counted;
    else unexplained += counted;
    const isNewExit = old.exitCode !== service.exitCode;
    const isOfRun = wasStarted || (service.restarts ?? 0) > 0;
    if (crashes === 0 && isOfRun && isNewExit && hasFailedExit(service)) crashes = 1;
  }
  if (crashes === 0 && !isAgain && !isOfBefore && hasFailed(last, deployment, started)) crashes = 1;
  if (unexplained > 1) {
    crashes += unexplained;
    unexplained = 0;
  }
  const states = [deployment.state, ...deployment.services.map(({ state }) => state)];
  return {
    last: deployment,
    crashes,
    isRestartedAgain: run.isRestartedAgain || isAgain,
    hasRestarted: hasRestarted || started.size > 0,
    started,
    unexplained,
    isStarting: states.some((state) => state !== undefined && startingState.test(state)),
    isRollingOut: deployment.state !== undefined && rolloutState.test(deployment.state),
  };
}

/** Returns whether a service has started since the restart, or surely has if it doesn't tell. */
function showsStart(old: Service, service: Service, elapsed: number): boolean {
  if (service.startedAt !== undefined) return service.startedAt !== old.startedAt;
  return elapsed >= surelyRestarted || (service.restarts ?? 0) !== (old.restarts ?? 0);
}

/** Returns whether a service tells a start before the time of the restart. */
function startedBefore({ startedAt }: Service, restartedAt: string | undefined): boolean {
  const [start, restart] = [parseInstant(startedAt), parseInstant(restartedAt)];
  return start !== undefined && restart !== undefined && start < restart;
}

function hasFailedExit({ exitCode }: Service): boolean {
  return typeof exitCode === 'number' && !stopCodes.has(exitCode);
}

/** Returns whether a deployment has failed since the restart; the state of before may last a while. */
function hasFailed(
  last: Deployment | undefined,
  deployment: Deployment,
  started: ReadonlySet<string>,
): boolean {
  if (conditionOf(deployment, false, undefined).kind !== 'failed') return false;
  const wasFailed = last !== undefined && conditionOf(last, false, undefined).kind === 'failed';
  return started.size > 0 || !wasFailed;
}
