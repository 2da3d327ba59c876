/** Finds the conditions of rules that the grants tell. */
import type { StoreApi } from 'zustand/vanilla';
import type { Grant } from '../../contract/grants.ts';
import { grantEndings } from '../grants/endings.ts';
import { endingText } from '../grants/ending-text.ts';
import type { GrantEnd } from '../grants/runway.ts';
import type { Listing } from '../lists/listing.ts';
import { rowWithId } from '../lists/row-with-id.ts';
import type { Clock } from '../time/clock.ts';
import type { FoundCondition } from './rule-alert.ts';
import type { AlertRule } from './rule.ts';

export interface GrantSources {
  readonly grants: Pick<StoreApi<Listing<Grant>>, 'getState' | 'subscribe'>;
  /** Returns the amount that a grant spends per hour; undefined while it is unknown. */
  readonly rateOf: (id: string) => number | undefined;
  readonly wallet: () => string | undefined;
  /** Returns the name of an address; undefined where it has none. */
  readonly nameOf: (address: string) => string | undefined;
  readonly clock: Clock & { serviceNow(): number };
}

/** Milliseconds between two searches of the grants, because lists are long. */
const searchInterval = 10_000;

/** Returns the search for ending grants; it searches only where a rule is about them. */
export function createGrantConditions(
  rules: readonly AlertRule[],
  { grants, rateOf, wallet, nameOf, clock }: GrantSources,
): { find(): ReadonlyMap<string, FoundCondition>; stop(): void } {
  const spans = rules.flatMap(({ condition }) =>
    condition.kind === 'grant' ? [condition.within] : [],
  );
  const within = Math.max(0, ...spans);
  let ends: ReadonlyMap<string, GrantEnd> = new Map();
  let searchedAt = Number.NEGATIVE_INFINITY;
  let isStale = true;
  const stop = grants.subscribe(({ loadedAt }, before) => {
    if (loadedAt !== before.loadedAt) isStale = true;
  });

  function search(): void {
    const now = clock.now();
    if (!isStale || Math.abs(now - searchedAt) < searchInterval) return;
    const { rows, loadedAt } = grants.getState();
    if (loadedAt === undefined) return;
    isStale = false;
    searchedAt = now;
    ends = grantEndings(rows, { rateOf, caller: wallet(), now: clock.serviceNow(), within });
  }

  return {
    find() {
      const found = new Map<string, FoundCondition>();
      if (within === 0) return found;
      search();
      const now = clock.serviceNow();
      for (const [index, rule] of rules.entries()) {
        const { condition } = rule;
        if (condition.kind !== 'grant') continue;
        for (const [id, end] of ends) {
          const grant = rowWithId(grants.getState().rows, id)?.value;
          if (grant === undefined || (end.at ?? Infinity) - now > condition.within) continue;
          const text = endingText(grant, end, nameOf(grant.grantor), now);
          found.set(`grant ${index} ${id}`, { rule, sentence: `${text}.`, grant });
        }
      }
      return found;
    },
    stop,
  };
}
