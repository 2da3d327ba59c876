/** Runs the alert rules of a service while a console is open on it. */
import type { Client } from '../client/client.ts';
import { AlertCommands } from '../commands/watch/alert-commands.ts';
import { RuleWatch } from '../store/alerts/rule-watch.ts';
import type { AlertRule } from '../store/alerts/rule.ts';
import type { Deck } from '../store/deck/deck.ts';
import { addressName } from '../store/grants/address-book.ts';
import { notificationBytes, type NotificationProtocol } from '../terminal/notification.ts';

/** The terminal, as far as alerts are told there. */
export interface AlertTerminal {
  /** Writes bytes between two frames. */
  readonly write: (bytes: string) => void;
  readonly protocol: NotificationProtocol;
}

/**
 * Does what the rules say about each alert, and says what the alert bar does not.
 * @param address base URL of the service.
 * @returns the function that ends it.
 */
export function followRules(
  deck: Deck,
  client: Client,
  address: string,
  rules: readonly AlertRule[],
  { write, protocol }: AlertTerminal,
): () => void {
  const { attention, clock, deployments, grants, messages, refresh } = deck;
  const say = (sentence: string): void => messages.say(sentence, 'bad');
  const commands = new AlertCommands(address, clock, say);
  const sources = {
    attention,
    clock,
    client: client.logs,
    random: Math.random,
    deployments: deployments.list.state,
    grants: grants.list.state,
    rateOf: (id: string) => grants.rates.rateOf(id),
    wallet: () => grants.wallet(),
    nameOf: (wallet: string) => addressName(grants.addressBook.getState(), wallet),
    lowDisk: () => deck.alerts.lowDisk(),
    isAnswering: () => refresh.reach.getState().kind === 'up',
  };
  const watch = new RuleWatch(rules, sources, {
    onAlert(alert) {
      const { rule, sentence } = alert;
      // The alert bar tells the others, with the key that opens them.
      if (rule.condition.kind !== 'alert') say(sentence);
      if (typeof rule.action === 'object') return commands.run(rule.action.run, alert);
      const way = rule.action === 'bell' ? 'bell' : protocol;
      if (way === 'bell' && !deck.screen.getState().hasBell) return;
      write(notificationBytes(way, sentence));
    },
    onTooSlow: ({ when }) => say(`The rule ${when} takes too long and is off.`),
  });
  watch.start();
  return () => {
    void watch.stop();
    commands.stop();
  };
}
