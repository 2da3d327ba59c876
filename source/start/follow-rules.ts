/** Runs the alert rules of a service while a console is open on it. */
import type { Client } from '../client/client.ts';
import { createRuleWatch } from '../store/alert-rules/rule-watch.ts';
import type { AlertSettings, RuleAction } from '../store/alert-rules/rule.ts';
import type { Deck } from '../store/deck/deck.ts';
import { addressName } from '../store/grants/address-book.ts';

/**
 * Passes each alert on, and says what the alert bar does not.
 * @param act rings or notifies.
 * @returns the function that ends it.
 */
export function followRules(
  deck: Deck,
  client: Client,
  { rules = [], quiet }: AlertSettings,
  act: (action: RuleAction, sentence: string) => void,
): () => void {
  const { attention, clock, deployments, grants, messages, refresh } = deck;
  const watch = createRuleWatch({
    rules,
    quiet,
    sources: {
      attention,
      clock,
      client: client.logs,
      random: Math.random,
      deployments: deployments.list.state,
      grants: grants.list.state,
      rateOf: (id) => grants.rates.rateOf(id),
      wallet: () => grants.wallet(),
      nameOf: (address) => addressName(grants.addressBook.getState(), address),
      lowDisk: () => deck.alerts.lowDisk(),
      isAnswering: () => refresh.reach.getState().kind === 'up',
    },
    onAlert({ rule, sentence }) {
      // The alert bar tells the others, with the key that opens them.
      if (rule.condition.kind !== 'alert') messages.say(sentence, 'bad');
      act(rule.action, sentence);
    },
    onTooSlow: ({ when }) => messages.say(`The rule ${when} takes too long and is off.`, 'bad'),
  });
  watch.start();
  return () => watch.stop();
}
