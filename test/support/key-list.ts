import type { KeyBinding, KeyContext } from '../../source/view/command/command.ts';
import { editBindings } from '../../source/view/editor/keymap.ts';
import { keyLabel } from '../../source/view/command/key-label.ts';
import { bindings } from '../../source/view/shell/keymap.ts';

const titles: Readonly<Record<KeyContext, string>> = {
  deployments: '1 Deployments',
  files: '2 Files',
  grants: '3 Grants',
  logs: '4 Logs',
  view: '4 View',
  details: '4 Details',
  diff: '4 Diff',
  history: '4 History',
  edit: '4 Edit',
};

/** The key tables as Markdown, for the README: one row a meaning, one column a context. */
export function keyList(): string {
  const rows = bindings.map(
    (binding) => `| ${keysText(binding)} | ${binding.help} | ${whereText(binding)} |`,
  );
  const edits = editBindings
    .filter(({ unlisted }) => unlisted !== true)
    .map((binding) => `| ${keysText(binding)} | ${binding.help} |`);
  return [
    '| Keys | What | Where |',
    '|-|-|-|',
    ...rows,
    '',
    'In the editor, where everything else types:',
    '',
    '| Keys | What |',
    '|-|-|',
    ...edits,
  ].join('\n');
}

function keysText({ keys }: KeyBinding): string {
  return keys.map((key) => `\`${keyLabel(key)}\``).join(' ');
}

function whereText(binding: KeyBinding): string {
  if (binding.in === undefined) return 'everywhere';
  return binding.in.map((context) => titles[context]).join(', ');
}
