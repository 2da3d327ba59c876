import type { DeckClock, DeploymentsHandle, GrantsHandle, MessagesHandle } from './handles.ts';
import type { StoreApi } from 'zustand/vanilla';
import type { Deployment } from '../../contract/deployments.ts';
import { sameAddress } from '../grants/address.ts';
import { deploymentLabel } from '../deployments/deployments.ts';
import { type GrantNotice, grantNotices, joinNotices } from '../grants/notices.ts';
import { watchGrants } from '../grants/watch.ts';
import type { Reach } from '../lists/reach.ts';

/** Says what happens to grants while they are watched, each turn of one once. Returns its end. */
export function notifyGrants(options: {
  readonly grants: GrantsHandle;
  readonly deployments: Pick<DeploymentsHandle, 'list'>;
  readonly clock: DeckClock;
  readonly reach: StoreApi<Reach>;
  readonly messages: MessagesHandle;
}): () => void {
  const { grants, deployments, clock, reach } = options;
  const told = new Map<string, Set<string>>();

  /** Clocks that are set make a grant expire twice, a list that falters makes it new again. */
  function isNews({ id, turn }: GrantNotice): boolean {
    const before = told.get(id);
    if (before === undefined) {
      told.set(id, new Set([turn]));
      return true;
    }
    if (before.has(turn) || turn === 'received') return false;
    before.add(turn);
    return true;
  }

  return watchGrants({
    list: grants.list,
    clock,
    serviceNow: () => clock.serviceNow(),
    reach,
    onLook(before, now) {
      const caller = grants.wallet();
      let names: readonly string[] | undefined;
      const notices = grantNotices(before, now, {
        caller,
        book: grants.addressBook.getState(),
        isOwnChange: (id) => grants.isChangedHere(id),
        // Seldom asked for, and made of a list that may be long.
        get deployments() {
          names ??= deployments.list.state
            .getState()
            .rows.filter(({ value }) => mayCost(value, caller))
            .map(({ value }) => deploymentLabel(value));
          return names;
        },
      }).filter(isNews);
      const text = joinNotices(notices);
      if (text === undefined) return;
      options.messages.say(text, notices.some(({ urgent }) => urgent) ? 'bad' : 'plain');
    },
  });
}

/** States in which nothing runs that costs money. Words that we do not know say nothing of that. */
const idleStates = new Set(['closed', 'stopped', 'exited', 'suspended', 'terminated']);

/** Whether a deployment is one that the caller's wallet and grants pay for, as far as it is told. */
function mayCost({ state, owner }: Deployment, caller: string | undefined): boolean {
  const isOwn = owner === undefined || caller === undefined || sameAddress(owner, caller);
  return isOwn && state !== undefined && !idleStates.has(state.toLowerCase());
}
