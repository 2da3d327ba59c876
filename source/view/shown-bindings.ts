import type { Console } from '../store/console.ts';
import type { Binding, Context } from './binding.ts';
import { definitionBindings } from './edit-keymap.ts';
import { bindingsIn } from './keymap.ts';

/** The keys that the footer and the help name there, in the words of what is edited. */
export function shownBindings({ editor }: Console, context: Context): readonly Binding[] {
  const isDefinition = editor.state.getState().document?.kind === 'definition';
  return context === 'edit' && isDefinition ? definitionBindings : bindingsIn(context);
}
