/** Facts that are said when they begin, change or end; never because time passes. */
import type { Deck } from '../../../store/deck/deck.ts';
import { listPanes } from '../../../store/lists/list-panes.ts';
import { secondsLeft } from '../../../store/restarts/sentences.ts';
import { connectionFacts, queryFacts } from './log-facts.ts';
import { alertSentence } from '../../alerts/alert-text.ts';
import { listedDeployment } from '../../command/row-under-cursor.ts';
import { isFrozen } from '../../log/title.ts';
import { selectionText } from '../../log/range.ts';
import { formatCount } from '../../text/amount.ts';
import type { HeardFact } from './heard.ts';
import { workFacts } from './work-facts.ts';

/** Returns what holds now, beside the focused pane. */
export function hearFacts(deck: Deck): readonly HeardFact[] {
  return [
    ...reachFacts(deck),
    ...accessFacts(deck),
    ...alertFacts(deck),
    ...openedFacts(deck),
    ...restartFacts(deck),
    ...workFacts(deck),
    ...[...markFacts(deck), ...listFilterFacts(deck), ...logFacts(deck)].map(hereOnly),
  ];
}

function hereOnly(fact: HeardFact): HeardFact {
  return { ...fact, isHere: true };
}

function reachFacts({ refresh }: Pick<Deck, 'refresh'>): readonly HeardFact[] {
  const reach = refresh.reach.getState();
  if (reach.kind !== 'away') return [];
  const { sentence, next } = reach.error;
  const text = `OFFLINE. ${sentence} ${next}`.trimEnd();
  return [{ key: 'reach', value: 'away', text, ended: 'The service answers again.' }];
}

function accessFacts({ access }: Pick<Deck, 'access'>): readonly HeardFact[] {
  if (!access.state.getState().isReadOnly) return [];
  return [{ key: 'access', value: 'read-only', text: 'This connection is read-only.' }];
}

/** Alerts that are said; of more, the number is said once. */
const mostAlerts = 3;

function alertFacts(deck: Deck): readonly HeardFact[] {
  const alerts = deck.alerts.state.getState();
  const more = alerts.length - mostAlerts;
  const facts = alerts.slice(0, mostAlerts).flatMap((alert) => {
    const text = alertSentence(deck, alert);
    const id = 'id' in alert ? alert.id : '';
    return text === undefined ? [] : [{ key: `alert ${alert.about} ${id}`, value: '', text }];
  });
  const text = `${formatCount(more)} more ${more === 1 ? 'alert' : 'alerts'}.`;
  return more > 0 ? [...facts, { key: 'more alerts', value: '', text }] : facts;
}

/** The state of the opened deployment; the list says it where that row has the cursor. */
function openedFacts(deck: Deck): readonly HeardFact[] {
  const { id } = deck.opened.getState();
  const state = listedDeployment(deck, id)?.state;
  if (id === undefined || state === undefined) return [];
  const isUnderCursor = deck.screen.getState().focus === 'deployments';
  const text = isUnderCursor ? '' : `${deck.deployments.label(id)}: ${state}.`;
  return [{ key: `state of ${id}`, value: state, text }];
}

/** A countdown is said when it starts, unless a message tells it; messages say what comes of it. */
function restartFacts({ restarts, deployments, history }: Deck): readonly HeardFact[] {
  return [...restarts.state.getState()].flatMap(([id, restart]) => {
    if (restart.kind !== 'counting' || restart.left === 0) return [];
    const start = `${deployments.label(id)} restarts in`;
    const isTold = history.entries
      .getState()
      .some(
        (entry) =>
          entry.kind === 'message' &&
          entry.at >= restart.changes.since &&
          entry.text.includes(start),
      );
    const text = isTold ? '' : `${start} ${secondsLeft(restart.left)}.`;
    return [{ key: `restart ${id}`, value: 'counting', text, isLate: true }];
  });
}

function logFacts(deck: Deck): readonly HeardFact[] {
  const { focus, main, overlay } = deck.screen.getState();
  const { tail } = deck.opened.getState();
  if (focus !== 'main' || main.kind !== 'logs' || tail === undefined) return [];
  const selection = selectionText(deck);
  const selected =
    selection === undefined
      ? []
      : [{ key: 'selection', value: selection, text: selection, ended: 'Nothing is selected.' }];
  const paused = { key: 'paused', value: '', text: 'Paused.' };
  // A prompt says what comes of its text itself.
  const isTyping = overlay?.kind === 'prompt';
  const queries = queryFacts(tail, isTyping);
  return [
    ...(isFrozen(deck) ? [paused] : []),
    ...selected,
    ...queries,
    ...connectionFacts(deck, tail),
  ];
}

/** The filter of the focused list, with what it shows of how many rows. */
function listFilterFacts({ screen, lists }: Pick<Deck, 'screen' | 'lists'>): readonly HeardFact[] {
  const { focus, filters, overlay } = screen.getState();
  if (focus === 'main') return [];
  const filter = filters[focus].trim();
  const list = lists[focus];
  const { rows, loadedAt } = list.listing();
  if (filter === '' || loadedAt === undefined || rows.length === 0) return [];
  const shown = list.ids().length;
  const noun = listPanes[focus].title.toLowerCase();
  // Rows of a tree are folders too, so their number isn't comparable with the total.
  const count =
    shown === 0
      ? `no match in ${formatCount(rows.length)} ${noun}. Esc clears the filter`
      : list.hasFolders
        ? `${formatCount(rows.length)} ${noun} in all`
        : `${formatCount(shown)} of ${formatCount(rows.length)} ${noun}`;
  const text = `Filter ${filter}: ${count}.`;
  const isTyping = overlay?.kind === 'filter';
  const value = `${filter} ${shown === 0}`;
  return [
    {
      key: `filter of ${focus}`,
      value,
      text,
      ended: 'No filter.',
      ...(isTyping && { isHeld: true }),
    },
  ];
}

/** The marked rows of the focused list. */
function markFacts({ screen }: Pick<Deck, 'screen'>): readonly HeardFact[] {
  const { focus, marks, deploymentMarks } = screen.getState();
  const size = { deployments: deploymentMarks.size, files: marks.size, grants: 0, main: 0 }[focus];
  if (size === 0) return [];
  const text = `${formatCount(size)} marked.`;
  return [{ key: `marks of ${focus}`, value: String(size), text, ended: 'Nothing is marked.' }];
}
