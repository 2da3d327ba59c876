/** Finds the grants that a command names by their ids. Pure. */
import type { Grant } from '../../contract/grants.ts';
import { type CommandProblem, notFoundProblem, usageProblem } from '../command-problem.ts';
import { resolveName } from '../names/resolve-name.ts';

/** The grants that were found, each once, or why one was not. */
export type FoundGrants =
  | { readonly ok: true; readonly grants: readonly Grant[] }
  | { readonly ok: false; readonly problem: CommandProblem };

/**
 * Finds grants by their ids or unique beginnings of them.
 * @param needsExact true for a write that nobody confirms: a beginning is then refused.
 */
export function findGrants(
  ids: readonly string[],
  grants: readonly Grant[],
  needsExact: boolean,
): FoundGrants {
  const found = new Set<Grant>();
  for (const id of ids) {
    const resolved = resolveName(id, grants);
    switch (resolved.kind) {
      case 'none':
        return failed(
          notFoundProblem(`No grant has the id ${id}.`, 'hostdeck grants list shows all.'),
        );
      case 'several':
        return failed(
          withCandidates(
            usageProblem(
              `${id} matches ${resolved.records.length} grants.`,
              'Use one of these ids:',
            ),
            resolved.records,
          ),
        );
      case 'one':
        if (needsExact && !resolved.isExact) {
          const next = 'With --yes, or without a terminal, give the whole id:';
          const problem = usageProblem(`${id} is only the beginning of an id.`, next);
          return failed(withCandidates(problem, [resolved.record]));
        }
        found.add(resolved.record);
    }
  }
  return { ok: true, grants: [...found] };
}

function failed(problem: CommandProblem): FoundGrants {
  return { ok: false, problem };
}

function withCandidates(problem: CommandProblem, grants: readonly Grant[]): CommandProblem {
  const candidates = grants.map(({ id, grantee }) => ({ id, name: `to ${grantee}` }));
  return { ...problem, candidates };
}
