import { type BoundCommand } from '../command/registry.ts';
import { keyLabel } from '../command/key-label.ts';
import { type FooterKey, keysLine } from '../text/hints.ts';
import type { Line } from '../text/line.ts';

/** Draws the last row: as many labelled keys as fit whole, and always the help key. */
export function footerLine(commands: readonly BoundCommand[], width: number): Line {
  return keysLine(footerKeys(commands), width);
}

/** Returns the labelled keys of the footer in order. */
export function footerKeys(commands: readonly BoundCommand[]): readonly FooterKey[] {
  const firstKey = (id: string) => commands.find(({ command }) => command.id === id)?.keys[0];
  return commands.flatMap(({ command, keys, label }) => {
    const [key] = keys;
    if (label === undefined || key === undefined) return [];
    const isHelp = command.group === 'help';
    const paired = command.pairedWith === undefined ? undefined : firstKey(command.pairedWith);
    const footerKey = [key, ...(paired === undefined ? [] : [paired])].map(keyLabel).join('/');
    return [{ key: footerKey, label, ...(isHelp ? { isFixed: true } : {}) }];
  });
}
