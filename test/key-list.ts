import { bindings, type Context, keyLabel } from '../source/view/keymap.ts';

const titles: Readonly<Record<Context, string>> = {
  deployments: '1 Deployments',
  files: '2 Files',
  grants: '3 Grants',
  logs: '4 Logs',
  view: '4 View',
  details: '4 Details',
};

/** The key table as Markdown, for the README: one row a meaning, one column a context. */
export function keyList(): string {
  const rows = bindings.map((binding) => {
    const keys = binding.keys.map((key) => `\`${keyLabel(key)}\``).join(' ');
    const where =
      binding.in === undefined
        ? 'everywhere'
        : binding.in.map((context) => titles[context]).join(', ');
    return `| ${keys} | ${binding.help} | ${where} |`;
  });
  return ['| Keys | What | Where |', '|-|-|-|', ...rows].join('\n');
}
