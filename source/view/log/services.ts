import type { Deck } from '../../store/deck/deck.ts';
import {
  openServicePicker,
  chosenServices,
  toggleService,
  type ServicePickerState,
  serviceRows,
  moveToService,
} from '../../store/log/reader/services.ts';
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
  const { services } = tail.filter.state.getState();
  deck.screen.overlay.open(openServicePicker(services));
}

/** Returns the services to select from: listed, seen in the log, and selected before. */
export function logServices(deck: Pick<Deck, 'deployments' | 'opened'>): readonly string[] {
  const { tail } = deck.opened.getState();
  const seen = tail?.log.services() ?? [];
  const chosen = tail?.filter.state.getState().services ?? [];
  return [...new Set([...servicesOf(deck), ...seen, ...chosen])];
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
      tail?.filter.setServices(chosen.services);
      if (tail !== undefined) void moveCursorIntoFilter(tail);
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
