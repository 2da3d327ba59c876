import type { Console } from '../../store/deck/deck.ts';
import { comeAgain, formLike, type GrantForm, newGrantForm } from '../../store/grants/form.ts';
import { type GrantOrder } from '../../store/grants/form-reading.ts';
import { isoSeconds } from '../../store/grants/expiry.ts';
import {
  grantedSentence,
  revokedSentence,
  revokeQuestion,
  ungrantedSentence,
  unrevocable,
  unrevokedSentence,
} from '../../store/grants/sentences.ts';
import { type Grant, grantDirection, grantState } from '../../store/grants/grants.ts';
import { listIds } from '../../store/deck/rows.ts';
import { ask, putUp } from '../command/confirm.ts';
import { callerHere, granteeOf } from './facts.ts';
import { rowUnderCursor } from '../command/row-under-cursor.ts';

/** Origins of the forms that were sent and not answered yet, by the console they belong to. */
const sending = new WeakMap<Console, Set<string>>();

function sendingOf(console: Console): Set<string> {
  const known = sending.get(console) ?? new Set();
  sending.set(console, known);
  return known;
}

function grantUnderCursor(console: Console): Grant | undefined {
  return grantOf(console, rowUnderCursor(console));
}

function grantOf(console: Console, id: string | undefined): Grant | undefined {
  return console.grants.list.state.getState().rows.find(({ value }) => value.id === id)?.value;
}

/** `a`: the form of a new grant, with what was filled in before and not sent. */
export function askGrant(console: Console): void {
  openForm(console, newGrantForm());
}

/** `A`: the same, filled in like the grant under the cursor. */
export function askGrantLike(console: Console): void {
  const grant = grantUnderCursor(console);
  if (grant === undefined) return console.say('There is no grant here to make another one like.');
  if (grantDirection(grant, callerHere(console)) === 'received') {
    return console.say(`Only its grantor can make another one like it: ${grant.grantor}.`);
  }
  const state = grantState(grant, console.serviceNow());
  openForm(console, formLike(grant, state, granteeOf(console, grant.grantee)));
}

function openForm(console: Console, form: GrantForm): void {
  if (sendingOf(console).has(form.origin)) {
    return console.say('A grant was sent from this form; its answer is awaited.');
  }
  const kept = console.screen.getState().keptGrants.get(form.origin);
  console.screen.setState({
    overlay: kept === undefined ? form : comeAgain({ ...kept, like: form.like }),
  });
}

/**
 * Sends a grant, once. Until it is made, what was filled in is kept; after a refusal, or where the
 * outcome is not known, the form comes back with it.
 */
export async function sendGrant(
  console: Console,
  form: GrantForm,
  order: GrantOrder,
): Promise<void> {
  const { screen, grants, profile } = console;
  const { origin } = form;
  const stood = screen.getState().cursors.grants.id;
  sendingOf(console).add(origin);
  keep(console, { ...form, refused: undefined });
  screen.setState({ overlay: undefined });
  console.say('Granting...');
  const result = await grants.create({
    grantee: order.grantee.address,
    limit: order.digits,
    expires_at: isoSeconds(order.until),
  });
  sendingOf(console).delete(origin);
  if (result.ok) {
    grants.noteChange(result.value.value.id);
    screen.setState(({ keptGrants }) => ({
      keptGrants: new Map([...keptGrants].filter(([key]) => key !== origin)),
    }));
    console.say(grantedSentence(order, result.value.value), 'good');
    return selectGrant(console, result.value.value.id, stood);
  }
  const refused = ungrantedSentence(result.error, profile.host);
  console.say(refused, 'bad');
  keep(console, { ...form, refused });
  if (result.error.unknownOutcome) void grants.list.refresh();
  putUp(console, () => {
    const kept = screen.getState().keptGrants.get(origin);
    return kept === undefined ? undefined : comeAgain(kept);
  });
}

function keep({ screen }: Console, form: GrantForm): void {
  screen.setState(({ keptGrants }) => ({
    keptGrants: new Map(keptGrants).set(form.origin, form),
  }));
}

/**
 * Lists the grants anew and puts the cursor on one, wherever a filter hides it; not away from where
 * the person has gone since, or from under what was opened there.
 */
async function selectGrant(console: Console, id: string, stood: string | undefined): Promise<void> {
  const { grants, screen } = console;
  await grants.list.refresh();
  const { overlay, cursors: now } = screen.getState();
  const hasMoved = stood !== undefined && now.grants.id !== stood;
  if (overlay !== undefined || hasMoved) return;
  const indexOf = () => listIds(console, 'grants').indexOf(id);
  if (indexOf() === -1 && grantOf(console, id) !== undefined) {
    screen.setState(({ filters }) => ({ filters: { ...filters, grants: '' } }));
  }
  const index = indexOf();
  if (index === -1) return;
  screen.setState(({ cursors }) => ({ cursors: { ...cursors, grants: { id, index } } }));
}

/** `X`: revokes the grant under the cursor when its box is answered so. */
export async function askRevocation(console: Console): Promise<void> {
  const id = rowUnderCursor(console);
  const grant = grantOf(console, id);
  if (id === undefined || grant === undefined) {
    return console.say('There is no grant here to revoke.');
  }
  const why = revocationRefused(console, grant);
  if (why !== undefined) return console.say(why);
  const grantee = granteeOf(console, grant.grantee);
  const direction = grantDirection(grant, callerHere(console));
  if ((await ask(console, revokeQuestion(grant, direction, grantee))) === 0) return;
  // It may have ended, or be gone, since the box was put up.
  const now = grantOf(console, id);
  const late = now === undefined ? 'It is no longer listed.' : revocationRefused(console, now);
  if (late !== undefined) return console.say(`${late} Nothing was sent.`);
  console.say('Revoking...');
  console.grants.noteChange(id);
  const result = await console.grants.revoke(id);
  if (result.ok) console.say(revokedSentence(grantee), 'good');
  else {
    console.grants.forgetChange(id);
    console.say(unrevokedSentence(result.error, console.profile.host, grantee), 'bad');
  }
  await console.grants.list.refresh();
}

function revocationRefused(console: Console, grant: Grant): string | undefined {
  const state = grantState(grant, console.serviceNow());
  return unrevocable(grant, state, grantDirection(grant, callerHere(console)));
}
