import { keyName } from '../../store/prompts/key-names.ts';
import type { Alert } from '../../store/alerts/alert.ts';
import type { Deck } from '../../store/deck/deck.ts';
import { contextOf } from '../command/command.ts';
import { lineWidth } from '../text/fit.ts';
import { type Line, span } from '../text/line.ts';

/** Effects of the key that shows what an alert is about. */
const effects: Readonly<Record<Alert['about'], string>> = {
  deployment: 'opens its log',
  grant: 'opens it',
  disk: 'says what helps',
  token: 'enters another',
};

/**
 * Returns the alert bar in `width` cells: the newest alert that nobody has looked at, and the number
 * of the others; a narrow row leaves out the facts, then the effect. Empty without one.
 */
export function alertLine(
  deck: Pick<Deck, 'alerts' | 'deployments' | 'screen'>,
  width: number,
): Line {
  const { focus, main } = deck.screen.getState();
  const { loadedAt } = deck.deployments.list.state.getState();
  const [alert, ...others] = deck.alerts.state
    .getState()
    // Panes without rows explain a rejected token themselves.
    .filter(({ about }) => about !== 'token' || loadedAt !== undefined);
  const described = alert && deck.alerts.describe(alert);
  if (alert === undefined || described === undefined) return [];
  const { text, facts } = described;
  const more = others.length === 0 ? '' : ` (${others.length} more)`;
  // In the editor, the key types.
  const key =
    contextOf(focus, main) === 'edit'
      ? ''
      : `. ${keyName('attention.next', '!')} ${effects[alert.about]}`;
  const ends = [`${facts}${key}${more}`, `${key}${more}`, key, more, ''];
  const lines = ends.map((end) => [span(`${text}${end}.`, 'alert')]);
  return lines.find((line) => lineWidth(line) <= width) ?? lines.at(-1) ?? [];
}

/** Returns the sentence about an alert, with the key that shows what it is about. */
export function alertSentence({ alerts }: Pick<Deck, 'alerts'>, alert: Alert): string | undefined {
  const described = alerts.describe(alert);
  if (described === undefined) return undefined;
  const { text, facts } = described;
  return `${text}${facts}. ${keyName('attention.next', '!')} ${effects[alert.about]}.`;
}
