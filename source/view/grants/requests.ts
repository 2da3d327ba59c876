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
import { type Grant, grantDirection, deriveGrantState } from '../../store/grants/grants.ts';
import { grantIds } from '../../store/deck/rows.ts';
import { confirm, openBox } from '../command/confirm.ts';
import { callerHere, granteeOf } from './facts.ts';
import { rowUnderCursor } from '../command/row-under-cursor.ts';

/** The handles that most functions here use. */
type Handles = Pick<Deck, 'screen' | 'messages' | 'grants'>;

/** Origins of the forms that were sent and not answered yet, by the console they belong to. */
const sending = new WeakMap<Deck['grants'], Set<string>>();

function sendingOf(grants: Deck['grants']): Set<string> {
  const known = sending.get(grants) ?? new Set();
  sending.set(grants, known);
  return known;
}

function grantUnderCursor(
  deck: Pick<Deck, 'clock' | 'screen' | 'deployments' | 'files' | 'grants'>,
): Grant | undefined {
  return grantOf(deck, rowUnderCursor(deck));
}

function grantOf(deck: Pick<Deck, 'grants'>, id: string | undefined): Grant | undefined {
  return deck.grants.list.state.getState().rows.find(({ value }) => value.id === id)?.value;
}

/** `a`: the form of a new grant, with what was filled in before and not sent. */
export function askGrant(deck: Handles): void {
  openForm(deck, newGrantForm());
}

/** `A`: the same, filled in like the grant under the cursor. */
export function askGrantLike(
  deck: Pick<Deck, 'clock' | 'screen' | 'messages' | 'deployments' | 'files' | 'grants'>,
): void {
  const grant = grantUnderCursor(deck);
  if (grant === undefined)
    return deck.messages.say('There is no grant here to make another one like.');
  if (grantDirection(grant, callerHere(deck)) === 'received') {
    return deck.messages.say(`Only its grantor can make another one like it: ${grant.grantor}.`);
  }
  const state = deriveGrantState(grant, deck.clock.serviceNow());
  openForm(deck, copyGrantForm(grant, state, granteeOf(deck, grant.grantee)));
}

function openForm(deck: Handles, form: GrantForm): void {
  if (sendingOf(deck.grants).has(form.origin)) {
    return deck.messages.say('A grant was sent from this form; its answer is awaited.');
  }
  const kept = deck.screen.getState().keptGrants.get(form.origin);
  deck.screen.overlay.open(
    kept === undefined ? form : reopenGrantForm({ ...kept, like: form.like }),
  );
}

/**
 * Sends a grant, once. Until it is made, what was filled in is kept; after a refusal, or where the
 * outcome is not known, the form comes back with it.
 */
export async function sendGrant(
  deck: Pick<Deck, 'profile' | 'clock' | 'screen' | 'messages' | 'grants'>,
  form: GrantForm,
  order: GrantDraft,
): Promise<void> {
  const { screen, grants, profile } = deck;
  const { origin } = form;
  const stood = screen.getState().cursors.grants.id;
  sendingOf(deck.grants).add(origin);
  screen.forms.keepGrant({ ...form, refused: undefined });
  screen.overlay.close();
  deck.messages.say('Granting...');
  const result = await grants.create({
    grantee: order.grantee.address,
    limit: order.digits,
    expires_at: isoSeconds(order.until),
  });
  sendingOf(deck.grants).delete(origin);
  if (result.ok) {
    grants.noteChange(result.value.value.id);
    screen.forms.dropGrant(origin);
    deck.messages.say(grantedSentence(order, result.value.value), 'good');
    return selectGrant(deck, result.value.value.id, stood);
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
 * Lists the grants anew and puts the cursor on one, wherever a filter hides it; not away from where
 * the person has gone since, or from under what was opened there.
 */
async function selectGrant(
  deck: Pick<Deck, 'clock' | 'screen' | 'grants'>,
  id: string,
  stood: string | undefined,
): Promise<void> {
  const { grants, screen } = deck;
  await grants.list.refresh();
  const { overlay, cursors: now } = screen.getState();
  const hasMoved = stood !== undefined && now.grants.id !== stood;
  if (overlay !== undefined || hasMoved) return;
  const indexOf = () => grantIds(deck).indexOf(id);
  if (indexOf() === -1 && grantOf(deck, id) !== undefined) {
    screen.lists.setFilter('grants', '');
  }
  const index = indexOf();
  if (index === -1) return;
  screen.lists.setCursor('grants', { id, index });
}

/** `X`: revokes the grant under the cursor when its box is answered so. */
export async function askRevocation(
  deck: Pick<
    Deck,
    'profile' | 'clock' | 'screen' | 'messages' | 'deployments' | 'files' | 'grants'
  >,
): Promise<void> {
  const id = rowUnderCursor(deck);
  const grant = grantOf(deck, id);
  if (id === undefined || grant === undefined) {
    return deck.messages.say('There is no grant here to revoke.');
  }
  const why = revocationRefused(deck, grant);
  if (why !== undefined) return deck.messages.say(why);
  const grantee = granteeOf(deck, grant.grantee);
  const direction = grantDirection(grant, callerHere(deck));
  if ((await confirm(deck, revokeQuestion(grant, direction, grantee))) === 0) return;
  // It may have ended, or be gone, since the box was put up.
  const now = grantOf(deck, id);
  const late = now === undefined ? 'It is no longer listed.' : revocationRefused(deck, now);
  if (late !== undefined) return deck.messages.say(`${late} Nothing was sent.`);
  deck.messages.say('Revoking...');
  deck.grants.noteChange(id);
  const result = await deck.grants.revoke(id);
  if (result.ok) deck.messages.say(revokedSentence(grantee), 'good');
  else {
    deck.grants.forgetChange(id);
    deck.messages.say(revokeFailureSentence(result.error, deck.profile.host, grantee), 'bad');
  }
  await deck.grants.list.refresh();
}

function revocationRefused(deck: Pick<Deck, 'clock' | 'grants'>, grant: Grant): string | undefined {
  const state = deriveGrantState(grant, deck.clock.serviceNow());
  return revokeObstacle(grant, state, grantDirection(grant, callerHere(deck)));
}
