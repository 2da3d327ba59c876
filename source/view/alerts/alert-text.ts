import { keyName } from '../../store/prompts/key-names.ts';
import type { Alert } from '../../store/alerts/alerts.ts';
import type { Deployment } from '../../contract/deployments.ts';
import { lowDiskText } from '../../store/alerts/disk-text.ts';
import { failureFactsText, failureText } from '../../store/alerts/failure-text.ts';
import type { Deck } from '../../store/deck/deck.ts';
import { restartCount } from '../../store/deployments/deployments.ts';
import { addressName } from '../../store/grants/address-book.ts';
import { endingText } from '../../store/grants/ending-text.ts';
import { rowWithId } from '../../store/lists/row-with-id.ts';
import { listedDeployment } from '../command/row-under-cursor.ts';
import { contextOf } from '../command/command.ts';
import { formatAge } from '../../store/time/age.ts';
import { lineWidth } from '../text/fit.ts';
import { type Line, span } from '../text/line.ts';

/** Parts of the sentence about an alert; a narrow row leaves out the facts, then the effect. */
interface AlertParts {
  readonly text: string;
  readonly facts: string;
  /** Effect of the key that shows what the alert is about. */
  readonly effect: string;
}

/**
 * Returns the alert bar in `width` cells: the newest alert that nobody has looked at, and the number
 * of the others. Empty without one.
 */
export function alertLine(
  deck: Pick<Deck, 'attention' | 'alerts' | 'clock' | 'deployments' | 'grants' | 'screen'>,
  width: number,
): Line {
  const { focus, main } = deck.screen.getState();
  const { loadedAt } = deck.deployments.list.state.getState();
  const [alert, ...others] = deck.alerts.state
    .getState()
    // Panes without rows explain a rejected token themselves.
    .filter(({ about }) => about !== 'token' || loadedAt !== undefined);
  const parts = alert && alertParts(deck, alert);
  if (parts === undefined) return [];
  const more = others.length === 0 ? '' : ` (${others.length} more)`;
  // In the editor, the key types.
  const key =
    contextOf(focus, main) === 'edit' ? '' : `. ${keyName('attention.next', '!')} ${parts.effect}`;
  const ends = [`${parts.facts}${key}${more}`, `${key}${more}`, key, more, ''];
  const lines = ends.map((end) => [span(`${parts.text}${end}.`, 'alert')]);
  return lines.find((line) => lineWidth(line) <= width) ?? lines.at(-1) ?? [];
}

/** Returns the sentence about an alert, with the key that shows what it is about. */
export function alertSentence(
  deck: Parameters<typeof alertLine>[0],
  alert: Alert,
): string | undefined {
  const parts = alertParts(deck, alert);
  if (parts === undefined) return undefined;
  return `${parts.text}${parts.facts}. ${keyName('attention.next', '!')} ${parts.effect}.`;
}

function alertParts(deck: Parameters<typeof alertLine>[0], alert: Alert): AlertParts | undefined {
  switch (alert.about) {
    case 'deployment': {
      const { attention, deployments } = deck;
      const condition = attention.state.getState().conditions.get(alert.id);
      if (condition === undefined) return undefined;
      const listed = listedDeployment(deck, alert.id);
      return {
        text: failureText(deployments.label(alert.id), condition),
        facts: failureFactsText(condition, listed && restartsText(listed, deck.clock.serviceNow())),
        effect: 'opens its log',
      };
    }
    case 'grant':
      return grantParts(deck, alert.id);
    case 'disk': {
      const low = deck.alerts.lowDisk();
      return low && { ...lowDiskText(low), effect: 'says what helps' };
    }
    case 'token':
      return {
        text: 'The service rejected the token (401)',
        facts: '',
        effect: 'enters another',
      };
  }
}

function grantParts(
  { alerts, clock, grants }: Pick<Deck, 'alerts' | 'clock' | 'grants'>,
  id: string,
): AlertParts | undefined {
  const end = alerts.grantEndings.get(id);
  const grant = rowWithId(grants.list.state.getState().rows, id)?.value;
  if (grant === undefined || end?.at === undefined) return undefined;
  const name = addressName(grants.addressBook.getState(), grant.grantor);
  return {
    text: endingText(grant, end, name, clock.serviceNow()),
    facts: '',
    effect: 'opens it',
  };
}

/** Milliseconds of life for which the number of restarts says how often they come. */
const youngDeployment = 24 * 60 * 60 * 1000;

/** Returns the restarts of a deployment, with its age while it is young: `7 restarts in 2m`. */
function restartsText({ services, createdAt }: Deployment, now: number): string | undefined {
  const count = restartCount(services);
  if (count === undefined) return undefined;
  const age = now - Date.parse(createdAt ?? '');
  const isYoung = age >= 0 && age < youngDeployment;
  return `${count} restarts${isYoung ? ` in ${formatAge(age)}` : ''}`;
}
