import type { Deployment } from '../../contract/deployments.ts';
import { type ExitCode, exitCodes, worstExitCode } from '../exit-codes.ts';
import type { ChangedFile } from '../../store/restarts/journal.ts';
import { createRestartRecord } from '../files/restart-record.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';
import type { CommandWords } from '../table/command-spec.ts';
import { assertProofFlags } from './prove-flag.ts';
import { proveRestart } from './prove-restart.ts';
import { type ActionTarget, actOnTargets, findTargets } from './targets.ts';
import { reportWait } from './wait-for-deployment.ts';

interface RestartFlags {
  readonly wait: boolean;
  readonly prove: boolean;
  readonly 'auto-restore': boolean;
  readonly timeout: number | undefined;
}

/** A deployment whose restart was accepted. */
interface RestartedTarget {
  readonly target: ActionTarget;
  readonly before: Deployment;
  /** Time of the request, ms since the epoch. */
  readonly requestedAt: number;
  /** Time of the first change of its files, ms since the epoch. */
  readonly changedFrom: number;
  /** Files that earlier commands and consoles have changed. */
  readonly files: readonly ChangedFile[];
}

/** Restarts deployments; asks only where a name was not typed whole. */
export async function restartDeployments(
  context: ServiceCommandContext,
  { args, flags }: CommandWords<RestartFlags>,
): Promise<ExitCode> {
  const { client, clock, confirm, options, signal } = context;
  assertProofFlags(flags);
  const targets = await findTargets(context, args);
  if (!options.dryRun && targets.some(({ isExact }) => !isExact)) {
    await confirm.ask({
      facts: targets.map(({ label, deployment }) => `${label}: id ${deployment.id}`),
      question: `Restart ${targets.map(({ label }) => label).join(', ')} on ${client.host}?`,
    });
  }
  const words = {
    done: 'restarted',
    sentence: (label: string) => `${label} is restarting.`,
    wouldDo: ({ label, deployment }: ActionTarget) => `Would restart ${label} (${deployment.id}).`,
  };
  const record = createRestartRecord(context);
  const isWatched = flags.wait || flags.prove;
  const restarted: RestartedTarget[] = [];
  const exit = await actOnTargets(context, targets, words, async (target) => {
    // The list may be older than another restart.
    const before = isWatched
      ? await client.deployments.get(target.deployment.id, signal)
      : undefined;
    const earlier = await record.earlier(target.deployment);
    const files = earlier.flatMap((entry) => entry.files);
    const requestedAt = clock.now();
    const changedFrom = Math.min(requestedAt, ...earlier.map(({ since }) => since));
    const answer = await client.deployments.restart(target.deployment.id);
    const known = before?.ok === true ? before.value.value : target.deployment;
    if (answer.ok) {
      restarted.push({ target, before: known, requestedAt, changedFrom, files });
      await record.restarted(target.deployment);
    }
    return answer;
  });
  if (!isWatched || signal.aborted) return exit;
  const exits: ExitCode[] = [exit];
  if (flags.prove) {
    // All of them run at the same time.
    exits.push(
      ...(await Promise.all(restarted.map((one) => prove(context, one, flags['auto-restore'])))),
    );
    return worstExitCode(exits);
  }
  for (const { target, before } of restarted) {
    const { deployment, label } = target;
    exits.push(
      await reportWait(context, { id: deployment.id, label, before, timeout: flags.timeout }),
    );
    if (signal.aborted) return exitCodes.failed;
  }
  return worstExitCode(exits);
}

function prove(
  context: ServiceCommandContext,
  { target, ...restart }: RestartedTarget,
  autoRestore: boolean,
): Promise<ExitCode> {
  return proveRestart(context, { ...restart, label: target.label, autoRestore });
}
