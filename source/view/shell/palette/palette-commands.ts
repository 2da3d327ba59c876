import type { Action } from '../../command/action.ts';
import type { KeyBinding } from '../../command/command.ts';
import { type EditAction, editBindings } from '../../editor/keymap.ts';
import { showHistory } from '../../history/commands.ts';
import { keyLabel } from '../../command/key-label.ts';
import { bindings, bindingsIn, type Command, contextOf } from '../keymap.ts';
import { findable, type PaletteCandidate } from './palette-match.ts';
import { quitNow } from '../quit-commands.ts';
import { deploymentUnderCursor } from '../../command/row-under-cursor.ts';

/** What the palette does commands with: those of the panes, and in the editor its own. */
export interface PaletteDoing {
  readonly command: (command: Command) => void;
  readonly edit: (action: EditAction) => void;
}

/**
 * Keys that only move, type or step back: by name nobody wants them. `^S` writes without a box, so
 * that it stays a key of its own.
 */
const keysOnly: ReadonlySet<string> = new Set<Command | EditAction>([
  ...(['down', 'up', 'left', 'right', 'first', 'last', 'escape', 'interrupt', 'palette'] as const),
  ...(['half-down', 'half-up', 'page-down', 'page-up', 'fold', 'unfold', 'quit'] as const),
  ...(['word-left', 'word-right', 'line-start', 'line-end', 'document-start'] as const),
  ...(['document-end', 'tab', 'outdent', 'newline', 'backspace', 'delete', 'save'] as const),
]);

/** All that makes sense where the palette was opened, in the order of the key tables. */
export function paletteCommands(action: Action, doing: PaletteDoing): readonly PaletteCandidate[] {
  const { deck, terminal } = action;
  const { focus, main } = deck.screen.getState();
  const context = contextOf(focus, main);
  const deployment = deploymentUnderCursor(deck);
  const label = deployment === undefined ? '' : ` ${deck.deployments.label(deployment)}`;
  const commands = new Map<string, PaletteCandidate>();

  function add(name: string, explanation: string, keys: string, run: () => void): void {
    if (commands.has(name)) return;
    const what = explanation === name ? '' : explanation;
    const row = { id: `command ${name}`, name, explanation: what, key: keys, run };
    commands.set(name, { found: findable(name, explanation), row: () => row });
  }

  function addBound<C extends string>(
    all: readonly KeyBinding<C>[],
    showKeys: boolean,
    run: (command: C) => void,
  ): void {
    for (const { command, help, subject, title, unlisted } of all) {
      if (keysOnly.has(command) || unlisted === true) continue;
      const keys = all.filter((one) => one.command === command).flatMap((one) => one.keys);
      const name = title ?? command.replaceAll('-', ' ');
      const shown = showKeys ? keys.map(keyLabel).join(' ') : '';
      add(subject === undefined ? name : `${name}${label}`, help, shown, () => run(command));
    }
  }

  if (context === 'edit') {
    addBound(editBindings, true, doing.edit);
    // Their keys type here.
    addBound(
      bindings.filter((one) => one.in === undefined),
      false,
      doing.command,
    );
  } else {
    addBound(bindingsIn(context) as readonly KeyBinding<Command>[], true, doing.command);
  }
  add('history', 'what was done', '', () => showHistory(deck));
  add('quit', 'end hostdeck', context === 'edit' ? '' : 'q q', () => quitNow(deck, terminal));
  return [...commands.values()];
}
