import type { Console } from '../../store/deck/deck.ts';
import {
  choosingServices,
  chosenServices,
  markService,
  type ServiceChoosing,
  serviceRows,
  stepService,
} from '../../store/log/reader/services.ts';
import type { KeyEvent } from '../../terminal/keys/keys.ts';
import { editLine } from '../text/line-editor.ts';
import { settleCursor } from './place.ts';
import { servicesOf } from '../shell/pane-title.ts';
import type { Verdict } from '../command/key-result.ts';

/** Asks for the services whose lines are shown, until another deployment is opened. */
export function askLogServices(console: Console): void {
  const { tail } = console.opened.getState();
  if (tail === undefined || logServices(console).length === 0) {
    console.say('The service names no services of this deployment.');
    return;
  }
  const { services } = tail.filter.state.getState();
  console.screen.setState({ overlay: choosingServices(services) });
}

/** Services that lines may be of: those the service tells, those seen, those chosen before. */
export function logServices(console: Console): readonly string[] {
  const { tail } = console.opened.getState();
  const seen = tail?.log.services() ?? [];
  const chosen = tail?.filter.state.getState().services ?? [];
  return [...new Set([...servicesOf(console), ...seen, ...chosen])];
}

/** A key while services are chosen. */
export function logServicesKey(input: KeyEvent, open: ServiceChoosing, console: Console): Verdict {
  const { screen } = console;
  const names = logServices(console);
  switch (input.name) {
    case 'up':
    case 'down': {
      const rows = serviceRows(names, open.narrow);
      screen.setState({ overlay: stepService(open, rows, input.name === 'up' ? -1 : 1) });
      return 'consumed';
    }
    case 'space':
      screen.setState({ overlay: markService(open, names) });
      return 'consumed';
    case 'enter': {
      const chosen = chosenServices(open, names);
      if (chosen === undefined) return 'consumed';
      const { tail } = console.opened.getState();
      tail?.filter.setServices(chosen.services);
      if (tail !== undefined) void settleCursor(tail);
      screen.setState({ overlay: undefined });
      return 'consumed';
    }
  }
  const line = editLine({ text: open.narrow, caret: open.caret }, input);
  if (line !== undefined) {
    screen.setState({ overlay: { ...open, narrow: line.text, caret: line.caret } });
  }
  return 'consumed';
}
