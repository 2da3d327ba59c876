/** The terms that Tab completes in the prompts of a log: `deployment:`, `service:` and `level:`. */
import { unfinishedTerm } from '../../../tail/query/query-terms.ts';
import { lineLevels } from '../../../tail/levels/level-words.ts';
import type { Tail } from '../../../store/log/tail.ts';

type CompletedLog = Pick<Tail, 'deploymentIds' | 'namesOf'> & {
  readonly log: Pick<Tail['log'], 'services'>;
};

/** Returns the queries to which a typed one can be completed; none when it does not end in a term. */
export function completedTerms(tail: CompletedLog, query: string): readonly string[] {
  const term = unfinishedTerm(query);
  if (term === undefined) return [];
  const start = term.value.toLowerCase();
  const values = [...valuesOf(tail, term.name)].filter(
    (value) => !/\s/.test(value) && value.toLowerCase().startsWith(start),
  );
  /** The case that was typed matches as well. */
  const typed = (value: string): string => term.value + value.slice(term.value.length);
  return values.map((value) => term.head + typed(value) + (values.length === 1 ? ' ' : ''));
}

function valuesOf(
  { log, deploymentIds, namesOf }: CompletedLog,
  name: 'level' | 'service' | 'deployment',
): Iterable<string> {
  if (name === 'level') return lineLevels;
  if (name === 'service') return new Set(log.services());
  return new Set(deploymentIds.flatMap((_, member) => namesOf(member)?.[0] ?? []));
}
