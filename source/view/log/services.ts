import type { Deck } from '../../store/deck/deck.ts';
import {
  openServicePicker,
  chosenServices,
  toggleService,
  type ServicePickerState,
  serviceRows,
  moveToService,
} from '../../store/log/reader/services.ts';
import type { LogFilterState } from '../../store/log/reader/filter.ts';
import type { Tail } from '../../store/log/tail.ts';
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
  if (tail === undefined || logServices(deck).length === 0) {
    deck.messages.say('This deployment lists no services.');
    return;
  }
  const { services, members } = tail.filter.state.getState();
  const chosen = memberRows(deck, tail).filter((_, member) => members?.has(member) === true);
  const isAll = services === undefined && chosen.length === 0;
  deck.screen.overlay.open(
    openServicePicker(isAll ? undefined : new Set([...chosen, ...(services ?? [])])),
  );
}

/** Returns the rows of the deployments of a joined log; empty for a single one. */
function memberRows(deck: Pick<Deck, 'deployments'>, tail: Tail): readonly string[] {
  return logMembers(deck, tail).map(({ label }) => `deployment ${label}`);
}

/**
 * Returns the rows to select from: the deployments of a joined log, then the services that are
 * listed, seen in the log, or selected before.
 */
export function logServices(deck: Pick<Deck, 'deployments' | 'opened'>): readonly string[] {
  const { tail } = deck.opened.getState();
  const seen = tail?.log.services() ?? [];
  const chosen = tail?.filter.state.getState().services ?? [];
  const members = tail === undefined ? [] : memberRows(deck, tail);
  return [...new Set([...members, ...servicesOf(deck), ...seen, ...chosen])];
}

/** Handles a key in the box of services. */
export function logServicesKey(
  input: KeyEvent,
  open: ServicePickerState,
  deck: Pick<Deck, 'screen' | 'deployments' | 'opened'>,
): KeyResult {
  const { screen } = deck;
  const names = logServices(deck);
  switch (input.name) {
    case 'up':
    case 'down': {
      const rows = serviceRows(names, open.narrow);
      screen.overlay.open(moveToService(open, rows, input.name === 'up' ? -1 : 1));
      return 'consumed';
    }
    case 'space':
      screen.overlay.open(toggleService(open, names));
      return 'consumed';
    case 'enter': {
      const chosen = chosenServices(open, names);
      if (chosen === undefined) return 'consumed';
      const { tail } = deck.opened.getState();
      if (tail !== undefined) {
        tail.filter.setShown(shownBy(chosen.services, memberRows(deck, tail)));
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

/** Splits the selected rows into deployments and services; undefined means all of them. */
function shownBy(
  rows: ReadonlySet<string> | undefined,
  memberNames: readonly string[],
): Pick<LogFilterState, 'services' | 'members'> {
  const members = new Set(memberNames.flatMap((name, member) => (rows?.has(name) ? [member] : [])));
  const services = new Set([...(rows ?? [])].filter((name) => !memberNames.includes(name)));
  return {
    services: services.size === 0 ? undefined : services,
    members: members.size === 0 ? undefined : members,
  };
}
