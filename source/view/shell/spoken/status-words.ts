import { alertCounts } from '../../../store/alerts/alert-kinds.ts';
import type { Deck } from '../../../store/deck/deck.ts';
import { logStatus } from '../../log/title.ts';
import { restartTexts, unappliedCount } from '../../restarts/text.ts';
import { joinWords } from '../../text/row-words.ts';

/** Returns what row 1 of a drawn console shows: `2 failing, restart shop 4s, 1 unapplied, 1 draft`. */
export function statusWords(deck: Deck): string {
  const restarts = deck.restarts.state.getState();
  const unapplied = unappliedCount(restarts.values());
  const drafts = deck.drafts.state.getState().drafts.size;
  const named = [...restarts].map(([id, one]) => [deck.deployments.label(id), one] as const);
  const log = logStatus(deck, deck.clock.now(), '');
  return joinWords([
    deck.refresh.reach.getState().kind === 'away' ? 'OFFLINE' : '',
    ...alertCounts(deck.alerts.kinds()).map(({ text }) => text),
    ...restartTexts(named),
    unapplied === 0 ? '' : `${unapplied} unapplied`,
    drafts === 0 ? '' : `${drafts} ${drafts === 1 ? 'draft' : 'drafts'}`,
    log === undefined ? '' : `log ${log.text.replace(/^log /, '')}`,
  ]);
}
