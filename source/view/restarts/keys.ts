import type { Deck } from '../../store/deck/deck.ts';
import { boxAnswersAfter, type Overlay } from '../../store/deck/screen/overlay.ts';
import { keyName } from '../../store/prompts/key-names.ts';
import { leaveUnapplied, restartNow } from './control.ts';
import { pendingRestartRows } from './rows.ts';
import type { KeyResult } from '../command/key-result.ts';
import type { KeyEvent } from '../../terminal/keys/key-sequences.ts';

/** The handles that most functions here use. */
type Handles = Pick<Deck, 'clock' | 'screen' | 'messages' | 'deployments' | 'restarts'>;
type RestartOverlay = Extract<Overlay, { kind: 'restart' }>;
type RestartsOverlay = Extract<Overlay, { kind: 'restarts' }>;

/** Handles a key of the box that confirms a restart: Cancel, Restart now. */
export function restartBoxKey(input: KeyEvent, overlay: RestartOverlay, deck: Handles): KeyResult {
  const button = buttonKey(input, overlay, 2, deck);
  if (button === 1) restartNow(deck, overlay.deployment);
  return 'consumed';
}

/** Handles a key of the box of pending restarts: Resume countdown, Restart now, Don't restart, as the key that cancels. */
export function pendingBoxKey(input: KeyEvent, overlay: RestartsOverlay, deck: Handles): KeyResult {
  const { deployment } = overlay;
  const step = { down: 1, up: -1 }[input.name];
  if (step !== undefined) {
    const ids = pendingRestartRows(deck, deployment).map(({ id }) => id);
    const next = ids[ids.indexOf(deployment) + step];
    if (next !== undefined) {
      // The box shows the selected restart again, wherever its text was scrolled to.
      deck.screen.overlay.open({ ...overlay, deployment: next, scroll: undefined });
    }
    return 'consumed';
  }
  const isCancel =
    (input.text ?? input.name) === keyName('restarts.cancel', 'c') &&
    mayAnswer(overlay, deck.clock);
  if (isCancel) deck.screen.overlay.close();
  const button = isCancel ? 2 : buttonKey(input, overlay, 3, deck);
  if (button === 1) restartNow(deck, deployment);
  if (button === 2) leaveUnapplied(deck, deployment);
  return 'consumed';
}

/** Moves between the buttons. Returns the button that Enter pressed, after closing the box. */
function buttonKey(
  input: KeyEvent,
  overlay: RestartOverlay | RestartsOverlay,
  buttons: number,
  { screen, clock }: Pick<Deck, 'clock' | 'screen'>,
): number | undefined {
  const step = { tab: 1, right: 1, 'shift+tab': -1, left: -1 }[input.name];
  if (step !== undefined) {
    const next = (overlay.button + step + buttons) % buttons;
    screen.overlay.open({ ...overlay, button: next });
    return undefined;
  }
  if (input.name !== 'enter' || !mayAnswer(overlay, clock)) return undefined;
  screen.overlay.close();
  return overlay.button;
}

/** A key that was typed before the box appeared doesn't answer it. */
function mayAnswer({ shownAt }: RestartOverlay | RestartsOverlay, clock: Deck['clock']): boolean {
  return clock.now() - shownAt >= boxAnswersAfter;
}
