/** Finds the conditions of rules that the grants tell. */
import { createEndingSearch, type EndingSources } from '../grants/ending-search.ts';
import { endingText } from '../grants/ending-text.ts';
import { rowWithId } from '../lists/row-with-id.ts';
import { conditionKey } from './condition-key.ts';
import type { FoundCondition } from './rule-alert.ts';
import type { AlertRule } from './rule.ts';

export interface GrantSources extends EndingSources {
  /** Returns the name of an address; undefined where it has none. */
  readonly nameOf: (address: string) => string | undefined;
}

/** Returns the search for ending grants; it searches only where a rule is about them. */
export function createGrantConditions(
  rules: readonly AlertRule[],
  sources: GrantSources,
): { find(): ReadonlyMap<string, FoundCondition> } {
  const { grants, nameOf, clock } = sources;
  const spans = rules.flatMap(({ condition }) =>
    condition.kind === 'grant' ? [condition.within] : [],
  );
  const within = Math.max(0, ...spans);
  const endings = createEndingSearch(sources, within);

  return {
    find() {
      const found = new Map<string, FoundCondition>();
      if (within === 0) return found;
      const ends = endings();
      const now = clock.serviceNow();
      for (const [index, rule] of rules.entries()) {
        const { condition } = rule;
        if (condition.kind !== 'grant') continue;
        for (const [id, end] of ends) {
          const grant = rowWithId(grants.getState().rows, id)?.value;
          if (grant === undefined || (end.at ?? Infinity) - now > condition.within) continue;
          const text = endingText(grant, end, nameOf(grant.grantor), now);
          found.set(conditionKey({ source: 'grant', rule: index, id }), {
            rule,
            sentence: `${text}.`,
            grant,
          });
        }
      }
      return found;
    },
  };
}
