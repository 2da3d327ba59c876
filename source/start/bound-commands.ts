import type { ConfigFile } from '../config/config-file.ts';
import type { Configured } from '../config/environment.ts';
import type { Commands } from '../view/command/registry.ts';
import { loadView } from './load-view.ts';

/**
 * Returns the commands with the keys of the configuration, or its first mistake with the line;
 * undefined where the file binds no key, so that such a start loads the view later.
 */
export async function readBoundCommands({
  path,
  keys,
}: Pick<ConfigFile, 'path' | 'keys'>): Promise<Configured<Commands | undefined>> {
  if (keys.size === 0) return { ok: true, value: undefined };
  const { bindConfiguredKeys } = await loadView();
  const bound = bindConfiguredKeys(new Map([...keys].map(([id, setting]) => [id, setting.keys])));
  if (bound.ok) return { ok: true, value: bound.commands };
  const { id, sentence, next } = bound.mistake;
  const line = keys.get(id)?.line ?? 1;
  return { ok: false, problem: { sentence: `${path} line ${line}: ${sentence}`, next } };
}
