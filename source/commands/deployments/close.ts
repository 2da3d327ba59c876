import { ageSince } from '../../store/time/age.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';
import type { CommandWords } from '../table/command-spec.ts';
import { type ActionTarget, actOnTargets, findTargets } from './targets.ts';

/** Closes deployments, after a question that wants the name typed. */
export async function closeDeployments(
  context: ServiceCommandContext,
  { args }: CommandWords,
): Promise<ExitCode> {
  const { client, confirm, clock, options } = context;
  const targets = await findTargets(context, args);
  if (!options.dryRun) {
    await confirm.ask(closeQuestion(targets, client.host, clock.now()));
  }
  const words = {
    done: 'closed',
    sentence: (label: string) => `Closed ${label}.`,
    wouldDo: ({ label, deployment }: ActionTarget) => `Would close ${label} (${deployment.id}).`,
  };
  return actOnTargets(context, targets, words, ({ deployment }) =>
    client.deployments.close(deployment.id),
  );
}

/** Returns the question before deployments are closed, with the name or the number to type. */
function closeQuestion(targets: readonly ActionTarget[], host: string, now: number) {
  const [first, ...others] = targets;
  const isOne = first !== undefined && others.length === 0;
  const what = isOne ? first.label : `${targets.length} deployments`;
  return {
    facts: [
      ...targets.map((target) => describeTarget(target, now)),
      isOne ? "A closed deployment can't be reopened." : "Closed deployments can't be reopened.",
    ],
    question: `Close ${what} on ${host}?`,
    typed: isOne ? first.label : `close ${targets.length}`,
  };
}

/** Returns a line about a deployment: `shop: active, 3d old, services web worker, id 3f0c2a...`. */
function describeTarget({ label, deployment }: ActionTarget, now: number): string {
  const { id, state = '', createdAt, services } = deployment;
  const age = ageSince(createdAt, now);
  const facts = [
    state,
    age === '' ? '' : `${age} old`,
    services.length === 0 ? '' : `services ${services.map(({ name }) => name).join(' ')}`,
    `id ${id}`,
  ];
  return `${label}: ${facts.filter((fact) => fact !== '').join(', ')}`;
}
