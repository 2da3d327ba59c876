import type { Deck } from '../../store/deck/deck.ts';
import type { KeyBinding, KeyContext } from '../command/command.ts';
import { definitionBindings } from '../editor/keymap.ts';
import { bindingsIn } from './keymap.ts';

/** A log that is followed needs no word for that, nor a frozen one for freezing. */
const following = labelled('logs', 'follow', undefined);
const frozen = servicesLast(labelled('logs', 'freeze', undefined));

/** There is more to the details of a line, and less. */
const ofLine = labelled('details', 'details', 'deployment').filter(
  ({ command }) => command !== 'raw-answer',
);
const ofOthers: readonly KeyBinding[] = bindingsIn('details').filter(
  ({ command }) => command !== 'newer-line' && command !== 'older-line',
);

/** The keys that the footer and the help name there, in the words of what is done there. */
export function shownBindings(
  deck: Pick<Deck, 'screen' | 'opened' | 'editor'>,
  context: KeyContext,
): readonly KeyBinding[] {
  if (context === 'logs') return isFrozen(deck) ? frozen : following;
  if (context === 'details') {
    return deck.screen.getState().main.kind === 'line' ? ofLine : ofOthers;
  }
  const isDefinition = deck.editor.state.getState().document?.kind === 'definition';
  return context === 'edit' && isDefinition ? definitionBindings : bindingsIn(context);
}

/** The same before anything is opened: a log is followed then. */
export function firstBindings(context: KeyContext): readonly KeyBinding[] {
  return context === 'logs' ? following : bindingsIn(context);
}

/** Whether the log that is open stands still. */
export function isFrozen({ opened }: Pick<Deck, 'opened'>): boolean {
  return opened.getState().tail?.view.position.getState().kind === 'frozen';
}

/** The keys of a context with another label of one command in the footer. */
function labelled(
  context: KeyContext,
  command: string,
  label: string | undefined,
): readonly KeyBinding[] {
  const other = (binding: KeyBinding): KeyBinding => ({ ...binding, label });
  return bindingsIn(context).map((one) => (one.command === command ? other(one) : one));
}

/** Who has frozen the log takes lines out of it: whose lines they are was chosen before. */
function servicesLast(all: readonly KeyBinding[]): readonly KeyBinding[] {
  const services = all.filter(({ command }) => command === 'log-services');
  const others = all.filter(({ command }) => command !== 'log-services');
  const at = others.findIndex(({ command }) => command === 'save-lines') + 1;
  return [...others.slice(0, at), ...services, ...others.slice(at)];
}
