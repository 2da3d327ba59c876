import type { DeckClock, DeploymentsHandle, GrantsHandle, MessagesHandle } from './handles.ts';
import type { StoreApi } from 'zustand/vanilla';
import type { Deployment } from '../../contract/deployments.ts';
import { sameAddress } from '../grants/address.ts';
import { deploymentLabel } from '../deployments/deployments.ts';
import { type GrantNotice, grantNotices, joinNotices } from '../grants/notices.ts';
import { watchGrants } from '../grants/watch.ts';
import type { Reach } from '../lists/reach.ts';

/**
 * Shows a message for each change of a grant, once. Returns the function that stops it.
 */
export function notifyGrants(options: {
  readonly grants: GrantsHandle;
  readonly deployments: Pick<DeploymentsHandle, 'list'>;
  readonly clock: DeckClock;
  readonly reach: StoreApi<Reach>;
  readonly messages: MessagesHandle;
}): () => void {
  const { grants, deployments, clock, reach } = options;
  const reported = new Map<string, Set<string>>();

  /** Filters repeats: a clock that is set back or an incomplete list would report a change twice. */
  function isNews({ id, turn }: GrantNotice): boolean {
    const before = reported.get(id);
    if (before === undefined) {
      reported.set(id, new Set([turn]));
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
        // Computed on demand: it is rarely needed, and the list may be long.
        get deployments() {
          names ??= deployments.list.state
            .getState()
            .rows.filter(({ value }) => isCharged(value, caller))
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

/** States without running costs. Unknown states count as costly. */
const idleStates = new Set(['closed', 'stopped', 'exited', 'suspended', 'terminated']);

/** Returns whether the caller's wallet or grants may pay for a deployment. */
function isCharged({ state, owner }: Deployment, caller: string | undefined): boolean {
  const isOwn = owner === undefined || caller === undefined || sameAddress(owner, caller);
  return isOwn && state !== undefined && !idleStates.has(state.toLowerCase());
}
