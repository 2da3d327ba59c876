/** Runs the alert rules of a service while a console is open on it. */
import type { Client } from '../client/client.ts';
import { AlertCommands } from '../commands/watch/alert-commands.ts';
import { RuleWatch } from '../store/alerts/rule-watch.ts';
import { type AlertRule, isLogRule } from '../store/alerts/rule.ts';
import type { Deck } from '../store/deck/deck.ts';
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
  const { alerts, clock, messages, refresh } = deck;
  const say = (sentence: string): void => messages.say(sentence, 'bad');
  const commands = new AlertCommands({ address, clock, env: process.env }, say);
  const sources = {
    ...alerts.sources,
    client: client.logs,
    random: Math.random,
    isAnswering: () => refresh.reach.getState().kind === 'up',
  };
  const watch = new RuleWatch(rules, sources, {
    onAlert(alert) {
      const { rule, sentence, grant } = alert;
      // The alert bar tells the others, with the key that opens them.
      if (isLogRule(rule) || grant !== undefined) say(sentence);
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
