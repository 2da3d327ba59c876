import type { Deck } from '../../store/deck/deck.ts';
import {
  chosenServices,
  deploymentChoice,
  type LogChoice,
  openServicePicker,
  serviceChoice,
  toggleService,
  type ServicePickerState,
  serviceRows,
  moveToService,
} from '../../store/log/reader/services.ts';
import type { LogFilterState } from '../../store/log/reader/filter.ts';
import { logMembers } from './members.ts';
import { editLine } from '../text/line-editor.ts';
import { moveCursorIntoFilter } from './place.ts';
import { servicesOf } from './title.ts';
import type { KeyResult } from '../command/key-result.ts';
import type { KeyEvent } from '../../terminal/keys/key-sequences.ts';

/** Opens the box that selects the services whose lines are shown. */
export function openServicesBox(
  deck: Pick<Deck, 'screen' | 'messages' | 'deployments' | 'opened'>,
): void {
  const { tail } = deck.opened.getState();
  const choices = logChoices(deck);
  if (tail === undefined || choices.length === 0) {
    deck.messages.say('This deployment lists no services.');
    return;
  }
  const { services, members } = tail.filter.state.getState();
  const isShown = (choice: LogChoice): boolean =>
    choice.kind === 'service'
      ? services?.has(choice.label) === true
      : members?.has(choice.member) === true;
  deck.screen.overlay.open(openServicePicker(choices.filter(isShown)));
}

/**
 * Returns what can be selected: the deployments of a joined log, then the services that are listed,
 * seen in the log, or selected before.
 */
export function logChoices(deck: Pick<Deck, 'deployments' | 'opened'>): readonly LogChoice[] {
  const { tail } = deck.opened.getState();
  const seen = tail?.log.services() ?? [];
  const chosen = tail?.filter.state.getState().services ?? [];
  const members = tail === undefined ? [] : logMembers(deck, tail);
  const services = new Set([...servicesOf(deck), ...seen, ...chosen]);
  return [
    ...members.map(({ label }, member) => deploymentChoice(label, member)),
    ...Array.from(services, serviceChoice),
  ];
}

/** Handles a key in the box of services. */
export function logServicesKey(
  input: KeyEvent,
  open: ServicePickerState,
  deck: Pick<Deck, 'screen' | 'deployments' | 'opened'>,
): KeyResult {
  const { screen } = deck;
  const choices = logChoices(deck);
  switch (input.name) {
    case 'up':
    case 'down': {
      const rows = serviceRows(choices, open.narrow);
      screen.overlay.open(moveToService(open, rows, input.name === 'up' ? -1 : 1));
      return 'consumed';
    }
    case 'space':
      screen.overlay.open(toggleService(open, choices));
      return 'consumed';
    case 'enter': {
      const chosen = chosenServices(open, choices);
      if (chosen === undefined) return 'consumed';
      const { tail } = deck.opened.getState();
      if (tail !== undefined) {
        tail.filter.setShown(shownBy(chosen));
        void moveCursorIntoFilter(tail);
      }
      screen.overlay.close();
      return 'consumed';
    }
  }
  const line = editLine({ text: open.narrow, caret: open.caret }, input);
  if (line !== undefined) {
    screen.overlay.open({ ...open, narrow: line.text, caret: line.caret });
  }
  return 'consumed';
}

/** Splits the selected choices into deployments and services; undefined means all of them. */
function shownBy(chosen: readonly LogChoice[]): Pick<LogFilterState, 'services' | 'members'> {
  const members = new Set(chosen.flatMap((one) => (one.kind === 'deployment' ? [one.member] : [])));
  const services = new Set(chosen.flatMap((one) => (one.kind === 'service' ? [one.label] : [])));
  return {
    services: services.size === 0 ? undefined : services,
    members: members.size === 0 ? undefined : members,
  };
}
