import type { Deck } from '../../store/deck/deck.ts';
import { confirmBox, type Confirmation } from '../../store/prompts/confirm.ts';
import type { Restart } from '../../store/restarts/state.ts';
import { pendingText } from '../restarts/text.ts';

export type Leaving = 'quit' | 'suspend';

const words = {
  quit: { title: 'quit', verb: 'Quits' },
  suspend: { title: 'suspend', verb: 'Suspends' },
} as const;

/**
 * Leaves at once when no restart counts; else asks first what is to become of those that do
 * (screens, rule 7).
 */
export function askToLeave(
  deck: Pick<Deck, 'screen' | 'deployments' | 'restarts'>,
  how: Leaving,
  leave: () => void,
): void {
  const pending = [...deck.restarts.state.getState()].filter(([, one]) => stillCounts(one));
  if (pending.length === 0) return leave();
  const ids = pending.map(([id]) => id);
  const { title, verb } = words[how];
  const question: Confirmation = {
    title: `${title} while restarts count?`,
    lines: pendingLines(deck, pending),
    options: [
      { label: 'Stay', meaning: 'they count on' },
      { label: 'Wait', meaning: `${verb} when they are done` },
      { label: 'Restart now', meaning: `sends them, then ${verb.toLowerCase()}` },
      { label: 'Leave unapplied', meaning: 'nothing is sent; offered next time' },
    ],
    holdsRestarts: true,
    escape: 'stays',
    answer(option) {
      if (option === 3) {
        for (const id of ids) deck.restarts.cancel(id);
        leave();
      } else if (option !== 0) {
        if (option === 2) for (const id of ids) deck.restarts.restart(id);
        leaveWhenSettled(deck, how, ids, leave);
      }
    },
  };
  deck.screen.overlay.open(confirmBox(question));
}

/** Waits for the restarts behind a box; one that fails keeps the person here. */
function leaveWhenSettled(
  deck: Pick<Deck, 'screen' | 'restarts'>,
  how: Leaving,
  ids: readonly string[],
  leave: () => void,
): void {
  const { screen, restarts } = deck;
  const stop = restarts.state.subscribe(settle);
  const question: Confirmation = {
    title: 'waiting for restarts',
    lines: [`${words[how].verb} when they are done.`],
    options: [{ label: 'Stay' }],
    escape: 'stays',
    answer: stop,
  };
  screen.overlay.open(confirmBox(question));
  settle();

  function settle(): void {
    const { overlay } = screen.getState();
    const box = overlay?.kind === 'help' ? overlay.over : overlay;
    // Something else came over it, and nobody waits any more.
    if (box?.kind !== 'question' || box.question !== question) return stop();
    const now = restarts.state.getState();
    if ([...now.values()].some((one) => one.kind === 'restarting' || stillCounts(one))) return;
    stop();
    screen.overlay.close();
    const hasFailed = ids.some((id) => ['failed', 'unknown'].includes(now.get(id)?.kind ?? ''));
    if (!hasFailed) leave();
  }
}

function stillCounts(restart: Restart): boolean {
  if (restart.kind !== 'restarting') return restart.kind === 'counting';
  return restart.later !== undefined && !restart.laterCancelled;
}

/** Lines of a box for what may be many. */
const mostLines = 8;

function pendingLines(
  deck: Pick<Deck, 'deployments'>,
  pending: readonly (readonly [string, Restart])[],
) {
  const lines = pending.map(
    ([id, restart]) => `${deck.deployments.label(id)}: ${pendingText(restart, false)}`,
  );
  return lines.length <= mostLines
    ? lines
    : [...lines.slice(0, mostLines - 1), `and ${lines.length - mostLines + 1} more`];
}
