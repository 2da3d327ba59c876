import type { Deck } from '../../store/deck/deck.ts';
import { confirmBox, type Confirmation } from '../../store/prompts/confirm.ts';
import type { Restart } from '../../store/restarts/state.ts';
import { pendingText } from '../restarts/text.ts';

/** Ways to leave hostdeck that confirm pending restarts first. */
export type Leaving = 'quit' | 'suspend' | 'switch';

/** The label of the button, the third person, and when cancelled restarts are offered. */
const words = {
  quit: ['Quit', 'quits', 'the next start offers them'],
  suspend: ['Suspend', 'suspends', 'the next start offers them'],
  switch: ['Switch', 'switches', 'offered when you return'],
} as const;

/** Leaves at once unless drafts could not be saved or restarts are pending; else asks. */
export function askToLeave(
  deck: Pick<Deck, 'screen' | 'deployments' | 'restarts' | 'drafts'>,
  action: Leaving,
  leave: () => void,
): void {
  const unsaved = [...deck.drafts.state.getState().failures.values()];
  // A suspended program keeps them in memory.
  if (unsaved.length === 0 || action === 'suspend') return leaveRestarts(deck, action, leave);
  const [label] = words[action];
  const question: Confirmation = {
    title: `${action} and lose what you typed?`,
    lines: shortened(unsaved),
    options: [
      { label: `Don't ${action}`, meaning: 'saving is tried again every 5 s' },
      { label: `${label}, lose it` },
    ],
    escape: `don't ${action}`,
    answer(option) {
      if (option === 1) leaveRestarts(deck, action, leave);
    },
  };
  deck.screen.overlay.open(confirmBox(question));
}

/** Leaves at once without pending restarts; else asks how to handle them. */
function leaveRestarts(
  deck: Pick<Deck, 'screen' | 'deployments' | 'restarts'>,
  action: Leaving,
  leave: () => void,
): void {
  const pending = [...deck.restarts.state.getState()].filter(([, one]) => isCountingDown(one));
  if (pending.length === 0) return leave();
  const ids = pending.map(([id]) => id);
  const [label, , offered] = words[action];
  const question: Confirmation = {
    title: `${action} while restarts are pending?`,
    lines: pendingLines(deck, pending),
    options: [
      { label: `Don't ${action}`, meaning: 'countdowns continue' },
      { label: `Wait, then ${action}`, meaning: 'after all restarts' },
      { label: 'Restart now', meaning: `then ${action}` },
      { label: `${label}, don't restart`, meaning: offered },
    ],
    pausesRestarts: true,
    escape: `don't ${action}`,
    answer(option) {
      if (option === 3) {
        for (const id of ids) deck.restarts.cancel(id);
        leave();
      } else if (option !== 0) {
        if (option === 2) for (const id of ids) deck.restarts.restart(id);
        leaveWhenSettled(deck, action, ids, leave);
      }
    },
  };
  deck.screen.overlay.open(confirmBox(question));
}

/** Shows a box until the restarts are settled, then leaves; a failed restart cancels leaving. */
function leaveWhenSettled(
  deck: Pick<Deck, 'screen' | 'restarts'>,
  action: Leaving,
  ids: readonly string[],
  leave: () => void,
): void {
  const { screen, restarts } = deck;
  const stop = restarts.state.subscribe(settle);
  const question: Confirmation = {
    title: 'waiting for restarts',
    lines: [`hostdeck ${words[action][1]} after all restarts.`],
    options: [{ label: `Don't ${action}` }],
    escape: `don't ${action}`,
    answer: stop,
  };
  screen.overlay.open(confirmBox(question));
  settle();

  function settle(): void {
    const { overlay } = screen.getState();
    const box = overlay?.kind === 'help' ? overlay.over : overlay;
    // Another box has replaced this one, so leaving is cancelled.
    if (box?.kind !== 'question' || box.question !== question) return stop();
    const now = restarts.state.getState();
    if ([...now.values()].some((one) => one.kind === 'restarting' || isCountingDown(one))) return;
    stop();
    screen.overlay.close();
    const hasFailed = ids.some((id) => ['failed', 'unknown'].includes(now.get(id)?.kind ?? ''));
    if (!hasFailed) leave();
  }
}

function isCountingDown(restart: Restart): boolean {
  if (restart.kind !== 'restarting') return restart.kind === 'counting';
  return restart.later !== undefined && !restart.laterCancelled;
}

/** Most lines of pending restarts or of drafts in the box. */
const mostLines = 8;

function pendingLines(
  deck: Pick<Deck, 'deployments'>,
  pending: readonly (readonly [string, Restart])[],
): readonly string[] {
  return shortened(
    pending.map(([id, restart]) => `${deck.deployments.label(id)}: ${pendingText(restart, false)}`),
  );
}

function shortened(lines: readonly string[]): readonly string[] {
  return lines.length <= mostLines
    ? lines
    : [...lines.slice(0, mostLines - 1), `and ${lines.length - mostLines + 1} more`];
}
