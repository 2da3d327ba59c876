import { type BoundCommand } from '../command/registry.ts';
import { keyLabel } from '../command/key-label.ts';
import { type FooterKey, keysLine } from '../text/hints.ts';
import type { Line } from '../text/line.ts';

/** The last row: the keys worth knowing here, as many as fit whole. Help always does. */
export function footerLine(commands: readonly BoundCommand[], width: number): Line {
  return keysLine(footerKeys(commands), width);
}

/** Returns the keys that the footer names, in its order. */
export function footerKeys(commands: readonly BoundCommand[]): readonly FooterKey[] {
  return commands.flatMap(({ command, keys, label }) => {
    const [key] = keys;
    if (label === undefined || key === undefined) return [];
    const isHelp = command.group === 'help';
    const footerKey = command.footerKey ?? keyLabel(key);
    return [{ key: footerKey, label, ...(isHelp ? { isFixed: true } : {}) }];
  });
}
