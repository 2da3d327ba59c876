import type { Deck } from '../../store/deck/deck.ts';
import { isOpened } from '../../store/deck/opened.ts';
import { deploymentLabel, restartCount } from '../../store/deployments/deployments.ts';
import { rowWithId } from '../../store/lists/row-with-id.ts';
import { secondsLeft } from '../../store/restarts/sentences.ts';
import type { Restart } from '../../store/restarts/state.ts';
import { ageSince } from '../../store/time/age.ts';
import { formatRate } from '../text/amount.ts';
import { instancesText } from '../text/instances.ts';
import { joinWords, type RowWords } from '../text/row-words.ts';
import { servicesText } from './columns.ts';
import { type DeploymentRow, noteSpan, stateSpan } from './rows.ts';

type Handles = Pick<
  Deck,
  'attention' | 'clock' | 'deployments' | 'opened' | 'proofs' | 'restarts' | 'screen'
>;

/** Returns the row of a deployment in words; undefined for one that is not listed. */
export function deploymentRowWords(deck: Handles, id: string): RowWords | undefined {
  const read = rowWithId(deck.deployments.list.state.getState().rows, id);
  if (read === undefined) return undefined;
  const { value } = read;
  const isMarked = deck.screen.getState().deploymentMarks.has(id);
  const row: DeploymentRow = {
    read,
    cursor: false,
    opened: isOpened(deck.opened.getState(), id),
    restart: deck.restarts.state.getState().get(id),
    condition: deck.attention.state.getState().conditions.get(id),
    proof: deck.proofs.state.getState().get(id),
    batch: deck.deployments.batch.state.getState(),
    marked: isMarked,
  };
  const state = stateWords(row);
  const note = noteSpan(row).text;
  const mark = isMarked ? 'marked' : '';
  const price = value.pricePerHour === undefined ? Number.NaN : Number(value.pricePerHour);
  const facts = [
    instancesWords(instancesText(value)),
    countWords(restartCount(value.services), 'restart'),
    prefixed('age ', ageSince(value.createdAt, deck.clock.serviceNow())),
    Number.isFinite(price) ? `${formatRate(price)} an hour` : '',
    prefixed('services ', servicesText(value)),
    note,
    row.opened ? 'opened' : '',
  ];
  return {
    text: joinWords([mark, deploymentLabel(value), state, ...facts]),
    // The seconds of a countdown or of a proof are not said as they pass.
    state: joinWords([mark, quietStateWords(row, state), note]),
  };
}

function quietStateWords({ restart, condition }: DeploymentRow, state: string): string {
  if (restart?.kind === 'counting') return 'restart pending';
  return condition?.kind === 'proving' && state.startsWith(condition.word) ? condition.word : state;
}

function stateWords(row: DeploymentRow): string {
  return pendingWords(row.restart) ?? stateSpan(row).text;
}

function pendingWords(restart: Restart | undefined): string | undefined {
  if (restart?.kind !== 'counting' || restart.left === 0) return undefined;
  return `restart in ${secondsLeft(restart.left)}`;
}

function instancesWords(text: string): string {
  return /\d/.test(text) ? `${text.replace('/', ' of ')} instances` : '';
}

function countWords(count: number | undefined, noun: string): string {
  if (count === undefined || count === 0) return '';
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}

function prefixed(prefix: string, text: string): string {
  return text === '' ? '' : prefix + text;
}
