/** Makes alerts heard: by the bell and the notifications of the terminal. */
import type { Client } from '../client/client.ts';
import { isQuiet } from '../store/alert-rules/quiet-hours.ts';
import type { AlertSettings, RuleAction } from '../store/alert-rules/rule.ts';
import type { Deck } from '../store/deck/deck.ts';
import type { Clock } from '../store/time/clock.ts';
import { notificationBytes, type NotificationProtocol } from '../terminal/notification.ts';
import { lazyPart } from '../system/lazy-part.ts';

const ruleFollower = lazyPart(() => import('./follow-rules.ts'));

export interface AlertSounds {
  /** Returns whether an alert of the console may ring: not in quiet hours, nor beside rules. */
  mayRing(): boolean;
  /** Follows the rules of a service instead of those before; their code is loaded where there are any. */
  follow(deck: Deck, client: Client, settings: AlertSettings): void;
  stop(): void;
}

/** @param write writes bytes to the terminal, between two frames. */
export function createAlertSounds(options: {
  readonly write: (bytes: string) => void;
  readonly protocol: NotificationProtocol;
  readonly clock: Pick<Clock, 'now'>;
}): AlertSounds {
  const { write, protocol, clock } = options;
  let followed: AlertSettings | undefined;
  let end = (): void => {};

  const actIn = (deck: Deck) => (action: RuleAction, sentence: string) => {
    const way = action === 'bell' ? 'bell' : protocol;
    if (way === 'bell' && !deck.screen.getState().hasBell) return;
    write(notificationBytes(way, sentence));
  };

  async function followWhenLoaded(
    deck: Deck,
    client: Client,
    settings: AlertSettings,
  ): Promise<void> {
    const { followRules } = await ruleFollower();
    // Another service may have been opened meanwhile.
    if (followed === settings) end = followRules(deck, client, settings, actIn(deck));
  }

  return {
    mayRing: () => followed?.rules === undefined && !isQuiet(followed?.quiet, clock.now()),
    follow(deck, client, settings) {
      end();
      end = () => {};
      followed = settings;
      if (settings.rules === undefined || settings.rules.length === 0) return;
      void followWhenLoaded(deck, client, settings);
    },
    stop() {
      followed = undefined;
      end();
    },
  };
}
