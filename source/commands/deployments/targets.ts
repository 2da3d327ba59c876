/** Finds the deployments that a command acts on, and reports what came of each. */
import type { DecodedRecord } from '../../client/decode/fields.ts';
import type { Result, ServiceError } from '../../client/http/errors.ts';
import type { Deployment } from '../../contract/deployments.ts';
import { deploymentLabel } from '../../store/deployments/deployments.ts';
import { allOrFailure, type CommandProblem, requestProblem } from '../command-problem.ts';
import { type ExitCode, exitCodes, worstExitCode } from '../exit-codes.ts';
import { createDeploymentFinder } from '../names/find-deployment.ts';
import { nextCommand } from '../output/next-command.ts';
import type { RecordView } from '../output/record-view.ts';
import { problemJson } from '../output/problem-text.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';

/** A deployment that a command acts on. */
export interface ActionTarget {
  readonly deployment: Deployment;
  readonly read: DecodedRecord<Deployment>;
  readonly label: string;
  /** False where only the beginning of its name or id was typed. */
  readonly isExact: boolean;
}

/**
 * Finds all deployments, each once, before anything is done. Rejects with the problems of all names
 * that are wrong.
 */
export async function findTargets(
  { client, signal, options, confirm }: ServiceCommandContext,
  names: readonly string[],
): Promise<readonly ActionTarget[]> {
  const finder = createDeploymentFinder(client, signal);
  const needsExact = !options.dryRun && (options.yes || !confirm.canAsk());
  const targets = new Map<string, ActionTarget>();
  for (const found of await allOrFailure(names, (name) => finder.find(name, needsExact))) {
    const { deployment } = found;
    const isExact = found.isExact && (targets.get(deployment.id)?.isExact ?? true);
    targets.set(deployment.id, { ...found, label: deploymentLabel(deployment), isExact });
  }
  return [...targets.values()];
}

/** Words of an action. */
export interface ActionWords {
  /** Past participle for one that was done, such as `closed`. */
  readonly done: string;
  /** Sentence about one that was done. */
  readonly sentence: (label: string) => string;
  /** Sentence about one that would be done. */
  readonly wouldDo: (target: ActionTarget) => string;
}

interface Outcome {
  readonly target: ActionTarget;
  /** Past participle of the action, `failed`, `unknown` or `not sent`. */
  readonly result: string;
  readonly problem?: CommandProblem | undefined;
}

/**
 * Acts on one deployment after the other and reports each answer. With `--dry-run` only tells what
 * would be done. Returns the worst exit code.
 */
export async function actOnTargets(
  context: ServiceCommandContext,
  targets: readonly ActionTarget[],
  words: ActionWords,
  act: (target: ActionTarget) => Promise<Result<void>>,
): Promise<ExitCode> {
  const { output, signal, options } = context;
  const outcomes: Outcome[] = [];
  const exits: ExitCode[] = [];
  for (const target of targets) {
    if (options.dryRun) {
      outcomes.push({ target, result: `would be ${words.done}` });
      if (!options.json) await output.result([words.wouldDo(target)]);
      continue;
    }
    if (signal.aborted) {
      outcomes.push({ target, result: 'not sent' });
      continue;
    }
    const answer = await act(target);
    const problem = answer.ok ? undefined : namedProblem(context, target, answer.error);
    if (problem === undefined) {
      outcomes.push({ target, result: words.done });
      if (!options.json) await output.result([words.sentence(target.label)]);
    } else {
      const isUnknown = problem.exit === exitCodes.unknownOutcome;
      outcomes.push({ target, result: isUnknown ? 'unknown' : 'failed', problem });
      exits.push(output.fail(problem));
    }
  }
  if (options.json) exits.push(await output.list(outcomes, outcomeView));
  return worstExitCode(exits);
}

/** Returns the problem of a request with the name of its deployment. */
function namedProblem(
  context: ServiceCommandContext,
  { label, deployment }: ActionTarget,
  error: ServiceError,
): CommandProblem {
  const check = nextCommand(context, `deployments get ${deployment.id}`);
  const problem = requestProblem(error, check);
  return { ...problem, sentence: `${label}: ${problem.sentence}` };
}

const outcomeView: RecordView<Outcome> = {
  columns: [{ title: 'RESULT', value: ({ result }) => result }],
  fields: ['id', 'name', 'result', 'error'],
  json: ({ target, result, problem }) => ({
    id: target.deployment.id,
    ...(target.deployment.name !== undefined && { name: target.deployment.name }),
    result,
    ...(problem !== undefined && problemJson(problem)),
  }),
  id: ({ target }) => target.deployment.id,
};
