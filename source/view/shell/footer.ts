import type { KeyContext } from '../command/command.ts';
import { keyLabel } from '../command/key-label.ts';
import { bindingsIn } from './keymap.ts';
import { type Line, span } from '../text/line.ts';

/** The last row: the keys worth knowing here, as many as fit whole. Help always does. */
export function footerLine(
  context: KeyContext,
  width: number,
  bindings = bindingsIn(context),
): Line {
  const entries = bindings.flatMap((binding) => {
    const [key] = binding.keys;
    return binding.label === undefined || key === undefined
      ? []
      : [
          {
            key: binding.footerKey ?? keyLabel(key),
            label: binding.label,
            isHelp: binding.command === 'help',
          },
        ];
  });
  const widthOf = (entry: { key: string; label: string }) =>
    entry.key.length + entry.label.length + 3;
  let room =
    width +
    2 -
    entries.filter((entry) => entry.isHelp).reduce((sum, entry) => sum + widthOf(entry), 0);
  const shown = entries.filter((entry) => {
    if (entry.isHelp) return true;
    room -= widthOf(entry);
    return room >= 0;
  });
  return shown.flatMap((entry, index) => [
    span(index === 0 ? '' : '  '),
    span(entry.key, 'info'),
    span(` ${entry.label}`),
  ]);
}
