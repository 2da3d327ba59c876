import type { ConfigFile } from '../config/config-file.ts';
import type { ConfigProblem } from '../config/environment.ts';
import type { Commands } from '../view/command/registry.ts';
import { loadView } from './load-view.ts';

export interface BoundCommands {
  /** Undefined where the file binds no key, so that such a start loads the view later. */
  readonly commands: Commands | undefined;
  /** The refused bindings with their lines, in the order of the file. */
  readonly warnings: readonly ConfigProblem[];
}

/** Returns the commands with the keys of the configuration. */
export async function readBoundCommands({
  path,
  keys,
}: Pick<ConfigFile, 'path' | 'keys'>): Promise<BoundCommands> {
  if (keys.size === 0) return { commands: undefined, warnings: [] };
  const { bindConfiguredKeys } = await loadView();
  const bindings = new Map([...keys].map(([id, setting]) => [id, setting.keys]));
  const { commands, mistakes } = bindConfiguredKeys(bindings);
  const lineOf = (id: string): number => keys.get(id)?.line ?? 1;
  const warnings = mistakes
    .toSorted((one, other) => lineOf(one.id) - lineOf(other.id))
    .map(({ id, sentence, next }) => ({
      sentence: `${path} line ${lineOf(id)}: ${sentence}`,
      next,
    }));
  return { commands, warnings };
}
