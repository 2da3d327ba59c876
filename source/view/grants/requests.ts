import { rowWithId } from '../../store/lists/row-with-id.ts';
import type { Deck } from '../../store/deck/deck.ts';
import {
  reopenGrantForm,
  copyGrantForm,
  type GrantForm,
  newGrantForm,
} from '../../store/grants/form.ts';
import { type GrantDraft } from '../../store/grants/form-reading.ts';
import { isoSeconds } from '../../store/grants/expiry.ts';
import {
  grantedSentence,
  revokedSentence,
  revokeQuestion,
  grantFailureSentence,
  revokeObstacle,
  revokeFailureSentence,
} from '../../store/grants/sentences.ts';
import { grantDirection } from '../../store/grants/grants.ts';
import { confirm, openBox } from '../command/confirm.ts';
import { walletOfCaller, granteeOf } from './facts.ts';
import { rowUnderCursor } from '../command/row-under-cursor.ts';
import type { Grant } from '../../contract/grants.ts';
import { deriveGrantState } from '../../contract/grants.ts';

/** The handles that most functions here use. */
type Handles = Pick<Deck, 'screen' | 'messages' | 'grants'>;

/** Origins of the forms that await an answer, by the grants of a deck. */
const pendingForms = new WeakMap<Deck['grants'], Set<string>>();

function pendingFormsOf(grants: Deck['grants']): Set<string> {
  const pending = pendingForms.get(grants) ?? new Set();
  pendingForms.set(grants, pending);
  return pending;
}

function grantUnderCursor(deck: Pick<Deck, 'lists' | 'screen' | 'grants'>): Grant | undefined {
  return grantOf(deck, rowUnderCursor(deck));
}

function grantOf(deck: Pick<Deck, 'grants'>, id: string | undefined): Grant | undefined {
  return rowWithId(deck.grants.list.state.getState().rows, id)?.value;
}

/** `a`: opens the form of a new grant, with the input that was not sent before. */
export function openGrantForm(deck: Handles): void {
  openForm(deck, newGrantForm());
}

/** `A`: opens the form with the values of the grant under the cursor. */
export function openGrantFormLike(
  deck: Pick<Deck, 'lists' | 'clock' | 'screen' | 'messages' | 'grants'>,
): void {
  const grant = grantUnderCursor(deck);
  if (grant === undefined) return deck.messages.say('Select a grant first.');
  if (grantDirection(grant, walletOfCaller(deck)) === 'received') {
    return deck.messages.say(`Only its grantor can grant it again: ${grant.grantor}.`);
  }
  const state = deriveGrantState(grant, deck.clock.serviceNow());
  openForm(deck, copyGrantForm(grant, state, granteeOf(deck, grant.grantee)));
}

function openForm(deck: Handles, form: GrantForm): void {
  if (pendingFormsOf(deck.grants).has(form.origin)) {
    return deck.messages.say('Already sending this grant; waiting for the answer.');
  }
  const kept = deck.screen.getState().keptGrants.get(form.origin);
  deck.screen.overlay.open(
    kept === undefined ? form : reopenGrantForm({ ...kept, like: form.like }),
  );
}

/**
 * Sends a grant once. The input is kept until the grant exists: after a refusal or an unknown outcome,
 * the form opens again with it.
 */
export async function sendGrant(
  deck: Pick<Deck, 'lists' | 'profile' | 'screen' | 'messages' | 'grants'>,
  form: GrantForm,
  order: GrantDraft,
): Promise<void> {
  const { screen, grants, profile } = deck;
  const { origin } = form;
  const cursorId = screen.getState().cursors.grants.id;
  pendingFormsOf(deck.grants).add(origin);
  screen.forms.keepGrant({ ...form, refused: undefined });
  screen.overlay.close();
  const over = deck.messages.begin('Granting...');
  const result = await grants.create({
    grantee: order.grantee.address,
    limit: order.digits,
    expires_at: isoSeconds(order.until),
  });
  over();
  pendingFormsOf(deck.grants).delete(origin);
  if (result.ok) {
    grants.noteChange(result.value.value.id);
    screen.forms.dropGrant(origin);
    deck.messages.say(grantedSentence(order, result.value.value), 'good');
    return selectGrant(deck, result.value.value.id, cursorId);
  }
  const refused = grantFailureSentence(result.error, profile.host);
  deck.messages.say(refused, 'bad');
  screen.forms.keepGrant({ ...form, refused });
  if (result.error.unknownOutcome) void grants.list.refresh();
  openBox(deck, () => {
    const kept = screen.getState().keptGrants.get(origin);
    return kept === undefined ? undefined : reopenGrantForm(kept);
  });
}

/**
 * Refreshes the list and moves the cursor to a grant, clearing a filter that hides it. Does nothing
 * when the cursor was moved or a box opened meanwhile.
 */
async function selectGrant(
  deck: Pick<Deck, 'screen' | 'lists' | 'grants'>,
  id: string,
  cursorId: string | undefined,
): Promise<void> {
  const { grants, lists, screen } = deck;
  await grants.list.refresh();
  const { overlay, cursors: now } = screen.getState();
  const hasMoved = cursorId !== undefined && now.grants.id !== cursorId;
  if (overlay !== undefined || hasMoved) return;
  if (lists.grants.moveCursorTo(id) || grantOf(deck, id) === undefined) return;
  screen.listViews.setFilter('grants', '');
  lists.grants.moveCursorTo(id);
}

/** `X`: revokes the grant under the cursor after a box. */
export async function confirmRevocation(
  deck: Pick<Deck, 'lists' | 'profile' | 'clock' | 'screen' | 'messages' | 'grants'>,
): Promise<void> {
  const id = rowUnderCursor(deck);
  const grant = grantOf(deck, id);
  if (id === undefined || grant === undefined) {
    return deck.messages.say('Select a grant first.');
  }
  const obstacle = revocationObstacle(deck, grant);
  if (obstacle !== undefined) return deck.messages.say(obstacle);
  const grantee = granteeOf(deck, grant.grantee);
  const direction = grantDirection(grant, walletOfCaller(deck));
  if ((await confirm(deck, revokeQuestion(grant, direction, grantee))) === 0) return;
  // The grant may have ended or disappeared while the box was open.
  const now = grantOf(deck, id);
  const newObstacle =
    now === undefined ? 'The grant is not listed.' : revocationObstacle(deck, now);
  if (newObstacle !== undefined) return deck.messages.say(`${newObstacle} Nothing was sent.`);
  const over = deck.messages.begin('Revoking...');
  deck.grants.noteChange(id);
  const result = await deck.grants.revoke(id);
  over();
  if (result.ok) deck.messages.say(revokedSentence(grantee), 'good');
  else {
    deck.grants.forgetChange(id);
    deck.messages.say(revokeFailureSentence(result.error, deck.profile.host, grantee), 'bad');
  }
  await deck.grants.list.refresh();
}

function revocationObstacle(
  deck: Pick<Deck, 'clock' | 'grants'>,
  grant: Grant,
): string | undefined {
  const state = deriveGrantState(grant, deck.clock.serviceNow());
  return revokeObstacle(grant, state, grantDirection(grant, walletOfCaller(deck)));
}
