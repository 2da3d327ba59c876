import type { Deck } from '../../store/deck/deck.ts';
import {
  listedGrantees,
  enterForm,
  moveListRow,
  moveToStop,
  setGrantLine,
} from '../../store/grants/form-steps.ts';
import { type GrantForm, type GrantStop, grantStops, isField } from '../../store/grants/form.ts';
import { boxAnswersAfter } from '../../store/deck/screen/overlay.ts';
import { sendGrant } from './requests.ts';
import { grantFormContext } from './facts.ts';
import { type EditedLine, editLine } from '../text/line-editor.ts';
import type { KeyResult } from '../command/key-result.ts';
import type { KeyEvent } from '../../terminal/keys/key-sequences.ts';

/** The handles that most functions here use. */
type Handles = Pick<Deck, 'lists' | 'profile' | 'clock' | 'screen' | 'messages' | 'grants'>;

/** Handles a key of the grant form: Enter and Tab advance, arrows move between rows or buttons, others type. */
export function grantFormKey(input: KeyEvent, form: GrantForm, deck: Handles): KeyResult {
  const { screen } = deck;
  // Any key shows the focused field again, wherever the form was scrolled to.
  const show = (next: GrantForm) => screen.overlay.open({ ...next, scroll: undefined });
  if (input.name === 'enter') {
    enter(form, deck);
    return 'consumed';
  }
  const facts = grantFormContext(deck);
  const vertical = { down: 1, up: -1 }[input.name];
  const choices = vertical === undefined ? [] : listedGrantees(form, facts);
  if (vertical !== undefined && choices.length > 0) {
    show(moveListRow(form, vertical, choices));
    return 'consumed';
  }
  const sideways = isField(form.stop) ? undefined : { right: 1, left: -1 }[input.name];
  const step = { tab: 1, 'shift+tab': -1 }[input.name] ?? vertical ?? sideways;
  if (step !== undefined) {
    show(moveToStop(form, step, facts));
  } else if (isField(form.stop) || input.text !== undefined) {
    // Text that is typed at a button goes to the field above.
    const stop = isField(form.stop) ? form.stop : 'until';
    const line = editLine(form.lines[stop], input);
    if (line !== undefined) editGrantField({ ...form, stop }, line, deck);
  }
  return 'consumed';
}

/**
 * Returns true for a key that ink-select-input handles in the open list of grantees: Enter, and the
 * arrows except beyond an end, where that list would go on at its other end.
 */
export function isGranteeKey(deck: Handles, { name }: KeyEvent): boolean {
  const { overlay: form } = deck.screen.getState();
  const step = { enter: 0, down: 1, up: -1 }[name];
  if (step === undefined || form?.kind !== 'grant' || form.row === undefined) return false;
  const choices = listedGrantees(form, grantFormContext(deck));
  const at = choices.findIndex(({ address }) => address === form.row);
  return at !== -1 && choices[at + step] !== undefined;
}

/** Moves the cursor of the list to a grantee. */
export function moveToGrantee(deck: Handles, address: string): void {
  const { overlay: form } = deck.screen.getState();
  if (form?.kind === 'grant')
    deck.screen.overlay.open({ ...form, row: address, scroll: undefined });
}

/** Chooses a grantee of the list and moves on to the next field. */
export function chooseGrantee(deck: Handles, address: string): void {
  const { overlay: form } = deck.screen.getState();
  if (form?.kind !== 'grant') return;
  const chosen = { ...form, row: address, scroll: undefined };
  deck.screen.overlay.open(moveToStop(chosen, 1, grantFormContext(deck)));
}

/** Moves the focus of the form to a field or to a button; leaving the list chooses its grantee. */
export function goToStop(form: GrantForm, stop: GrantStop, deck: Handles): void {
  const step = grantStops.indexOf(stop) - grantStops.indexOf(form.stop);
  if (step === 0) return;
  const moved = moveToStop(form, step, grantFormContext(deck));
  deck.screen.overlay.open({ ...moved, scroll: undefined });
}

/** Puts an edited line into the field with the caret. */
export function editGrantField(form: GrantForm, line: EditedLine, deck: Handles): void {
  if (!isField(form.stop)) return;
  const edited = setGrantLine(form, form.stop, line, grantFormContext(deck));
  deck.screen.overlay.open({ ...edited, scroll: undefined });
}

function enter(form: GrantForm, deck: Handles): void {
  const { screen, clock } = deck;
  const entered = enterForm(form, grantFormContext(deck));
  if (entered.kind === 'continues') {
    return screen.overlay.open({ ...entered.form, scroll: undefined });
  }
  // An Enter that was typed before the form appeared doesn't answer it.
  if (clock.now() - form.shownAt < boxAnswersAfter) return;
  if (entered.kind === 'leaves') screen.forms.leaveGrant(form);
  else void sendGrant(deck, form, entered.order);
}
