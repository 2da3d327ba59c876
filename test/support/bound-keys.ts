import * as fc from 'fast-check';
import { registeredCommands } from '../../source/view/shell/commands.ts';

/** Every default key of the commands that hold in a pane, once. */
export const paneKeys: readonly string[] = keysOf((context) => context !== 'edit');

/** Every default key, those of the editor too, once. */
export const allKeys: readonly string[] = keysOf(() => true);

function keysOf(holds: (context: string) => boolean): readonly string[] {
  const keys = registeredCommands
    .filter(({ contexts }) => contexts.some(holds))
    .flatMap(({ keys, quietKeys = [] }) => keys.concat(quietKeys));
  return [...new Set(keys)];
}

/** A third of keys, others with each seed: where each is tried in several boxes, all are over some changes. */
export function aThirdOf(keys: readonly string[]): readonly string[] {
  const length = Math.ceil(keys.length / 3);
  const some = fc.shuffledSubarray([...keys], { minLength: length, maxLength: length });
  return fc.sample(some, 1)[0] ?? keys;
}
