import type { Deck } from '../../store/deck/deck.ts';
import { type Menu, openMenu } from '../../store/prompts/menu.ts';
import { askToLeave } from '../editor/leave.ts';
import { namedCommand } from './named-commands.ts';
import { isBusy } from './quit-commands.ts';

/** `:profile`: opens the menu of services. */
export const profileCommand = namedCommand({
  id: 'app.profile',
  help: 'switch profile',
  title: 'profile',
  synonyms: ['service', 'environment', 'connect', 'login', 'context'],
  run({ deck }) {
    const { connection, messages, screen } = deck;
    // An incident file is no service, and knows none.
    if (connection.services.length === 0) return messages.say(noServices);
    return screen.overlay.open(openMenu(profileMenu(deck)));
  },
});

const noServices =
  'An incident file has no services to switch to. Quit; hostdeck --profile NAME connects to one.';

/** Leaves the service for another one as a quit leaves it: pending restarts are asked about. */
export function switchProfile(deck: Deck, name: string): void {
  const { profile, messages } = deck;
  if (name === profile.name) return messages.say(`This is ${name} already.`);
  if (isBusy(deck)) return;
  askToLeave(deck, 'switch', () => void connect(deck, name));
}

async function connect(deck: Pick<Deck, 'connection' | 'messages'>, name: string): Promise<void> {
  const { connection, messages } = deck;
  const over = messages.begin(`Connecting to ${name}...`);
  const problem = await connection.switchTo(name);
  over();
  if (problem !== undefined) messages.say(`${problem.sentence} ${problem.next}`.trim(), 'bad');
}

export function profileMenu(deck: Deck): Menu {
  return {
    title: 'switch to',
    items: () =>
      deck.connection.services.map(({ name, host, isReadOnly }) => ({
        id: name,
        label: name,
        meaning: [
          host,
          ...(isReadOnly ? ['read-only'] : []),
          ...(name === deck.profile.name ? ['shown now'] : []),
        ].join(', '),
        found: `${name} ${host}`,
        choose: () => switchProfile(deck, name),
      })),
  };
}
