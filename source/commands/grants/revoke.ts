import { deriveGrantState, type Grant } from '../../contract/grants.ts';
import { addressName } from '../../store/grants/address-book.ts';
import type { Grantee } from '../../store/grants/grantees.ts';
import { grantDirection } from '../../store/grants/grants.ts';
import { revokedSentence, revokeObstacle, revokeQuestion } from '../../store/grants/sentences.ts';
import {
  CommandFailure,
  type CommandProblem,
  notFoundProblem,
  requestedValue,
  requestProblem,
  usageProblem,
} from '../command-problem.ts';
import type { CommandQuestion } from '../confirm/confirm.ts';
import { type ExitCode, exitCodes, worstExitCode } from '../exit-codes.ts';
import { nextCommand } from '../output/next-command.ts';
import { problemJson } from '../output/problem-text.ts';
import type { RecordView } from '../output/record-view.ts';
import type { ServiceCommandContext } from '../table/command-context.ts';
import type { CommandWords } from '../table/command-spec.ts';
import type { GrantFacts } from './grant-view.ts';
import { readGrants } from './read-grants.ts';
import { resolveName } from '../names/resolve-name.ts';

/** The outcome of a revocation, for programs. */
interface Revocation {
  readonly grant: Grant;
  /** `revoked`, `would be revoked`, `failed`, `unknown` or `not sent`. */
  readonly result: string;
  readonly problem?: CommandProblem | undefined;
}

const revocationView: RecordView<Revocation> = {
  columns: [{ title: 'RESULT', value: ({ result }) => result }],
  fields: ['id', 'grantee', 'result', 'error'],
  json: ({ grant: { id, grantee }, result, problem }) => ({
    id,
    grantee,
    result,
    ...(problem !== undefined && problemJson(problem)),
  }),
  id: ({ grant }) => grant.id,
};

/** Revokes grants after one question for all; each id is checked before anything is sent. */
export async function revokeGrants(
  context: ServiceCommandContext,
  { args }: CommandWords,
): Promise<ExitCode> {
  const { confirm, options, output } = context;
  const { json, yes, dryRun } = options;
  const { listed, facts } = await readGrants(context);
  const all = requestedValue(listed).map(({ value }) => value);
  const grants = findGrants(args, all, !dryRun && (yes || !confirm.canAsk()));
  assertRevocable(grants, facts);
  if (!dryRun) await confirm.ask(questionOf(grants, facts));
  const exits: ExitCode[] = [];
  const outcomes: Revocation[] = [];
  for (const grant of grants) {
    const outcome = dryRun ? { grant, result: 'would be revoked' } : await revoke(context, grant);
    outcomes.push(outcome);
    if (outcome.problem !== undefined) exits.push(output.fail(outcome.problem));
    else if (!json) await output.result([sentenceOf(outcome, facts)]);
  }
  if (json) exits.push(await output.list(outcomes, revocationView));
  return worstExitCode(exits);
}

async function revoke(context: ServiceCommandContext, grant: Grant): Promise<Revocation> {
  const { client, signal } = context;
  if (signal.aborted) return { grant, result: 'not sent' };
  const revoked = await client.grants.revoke(grant.id);
  if (revoked.ok) return { grant, result: 'revoked' };
  const problem = requestProblem(revoked.error, nextCommand(context, 'grants list'));
  return {
    grant,
    result: revoked.error.unknownOutcome ? 'unknown' : 'failed',
    problem: { ...problem, sentence: `Grant ${grant.id}: ${problem.sentence}` },
  };
}

function sentenceOf({ grant: { id, grantee }, result }: Revocation, facts: GrantFacts): string {
  switch (result) {
    case 'revoked':
      return revokedSentence(granteeOf(grantee, facts));
    case 'would be revoked':
      return `Would revoke the grant ${id} to ${grantee}.`;
    default:
      return `Grant ${id}: ${result}.`;
  }
}

/** Throws a {@link CommandFailure} where one of the grants can't be revoked. */
function assertRevocable(grants: readonly Grant[], { caller, now }: GrantFacts): void {
  for (const grant of grants) {
    const direction = grantDirection(grant, caller);
    const sentence = revokeObstacle(grant, deriveGrantState(grant, now), direction);
    if (sentence === undefined) continue;
    const [exit, code] =
      direction === 'received'
        ? ([exitCodes.notAllowed, 'forbidden'] as const)
        : ([exitCodes.conflict, 'conflict'] as const);
    const next = 'Nothing was sent.';
    throw new CommandFailure({ exit, code, sentence: `Grant ${grant.id}: ${sentence}`, next });
  }
}

function granteeOf(address: string, { book }: GrantFacts): Grantee {
  return { address, name: addressName(book, address) };
}

/** Returns the question of the console for one grant; for several, their number is typed. */
function questionOf(grants: readonly Grant[], facts: GrantFacts): CommandQuestion {
  const asked = grants.map((grant) => {
    const direction = grantDirection(grant, facts.caller);
    const question = revokeQuestion(grant, direction, granteeOf(grant.grantee, facts));
    return { ...question, lines: question.lines.filter((line) => typeof line === 'string') };
  });
  const [first, ...others] = asked;
  if (first === undefined || others.length > 0) {
    return {
      facts: grants.flatMap(({ id }, at) => [`${id}:`, ...(asked[at]?.lines ?? []), '']),
      question: `Revoke ${grants.length} grants?`,
      typed: `revoke ${grants.length}`,
    };
  }
  return { facts: first.lines, question: capitalised(first.title), typed: first.typed };
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/**
 * Finds grants by their ids or unique beginnings of them, each once. Throws a {@link CommandFailure}
 * where an id matches none or several.
 * @param needsExact true for a write that nobody confirms: a beginning is then refused.
 */
export function findGrants(
  ids: readonly string[],
  grants: readonly Grant[],
  needsExact: boolean,
): readonly Grant[] {
  const found = new Set<Grant>();
  for (const id of ids) {
    const resolved = resolveName(id, grants);
    switch (resolved.kind) {
      case 'none':
        throw new CommandFailure(
          notFoundProblem(`No grant has the id ${id}.`, 'hostdeck grants list shows all.'),
        );
      case 'several':
        throw withCandidates(
          usageProblem(`${id} matches ${resolved.records.length} grants.`, 'Use one of these ids:'),
          resolved.records,
        );
      case 'one':
        if (needsExact && !resolved.isExact) {
          const next = 'With --yes, or without a terminal, give the whole id:';
          const problem = usageProblem(`${id} is only the beginning of an id.`, next);
          throw withCandidates(problem, [resolved.record]);
        }
        found.add(resolved.record);
    }
  }
  return [...found];
}

function withCandidates(problem: CommandProblem, grants: readonly Grant[]): CommandFailure {
  const candidates = grants.map(({ id, grantee }) => ({ id, name: `to ${grantee}` }));
  return new CommandFailure({ ...problem, candidates });
}
