/** The documents that are generated from the registered commands. */
import {
  type Command,
  type KeyContext,
  keyContexts,
  paneContexts,
} from '../source/view/command/command.ts';
import { keyLabel } from '../source/view/command/key-label.ts';
import {
  type BoundCommand,
  type Commands,
  commandsIn,
  listedCommands,
} from '../source/view/command/registry.ts';
import { footerKeys } from '../source/view/shell/footer.ts';

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

/** Returns the key list of the README: a row for each meaning, with the panes where it holds. */
export function readmeKeys(commands: Commands): string {
  const contextsOf = new Map<string, Set<KeyContext>>();
  for (const { keys, help, contexts, isUnlisted } of commands) {
    const panes = contexts.filter((context) => context !== 'edit');
    if (keys.length === 0 || panes.length === 0 || isUnlisted === true) continue;
    const row = `${keysText(keys)} | ${help}`;
    contextsOf.set(row, new Set([...(contextsOf.get(row) ?? []), ...panes]));
  }
  const rows = [...contextsOf].map(([row, contexts]) => `| ${row} | ${whereText(contexts)} |`);
  const edits = editorCommands(commands).map(({ keys, help }) => `| ${keysText(keys)} | ${help} |`);
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

/** Returns docs/keys.md: all commands pane by pane, with their names in the palette. */
export function keysPage(commands: Commands): string {
  const isEverywhere = ({ command }: BoundCommand) =>
    paneContexts.every((context) => command.contexts.includes(context));
  const sections = paneContexts.map((context) => {
    const own = commandsIn(commands, context).filter((bound) => !isEverywhere(bound));
    return section(titles[context], listedCommands(own));
  });
  const everywhere = commandsIn(commands, 'deployments').filter(isEverywhere);
  const byName = everywhere.filter(({ keys }) => keys.length === 0);
  return [
    '# Keys',
    '',
    '<!-- Written by `npm run docs` from the commands that source/view registers. -->',
    '',
    'The palette (`:` or `F2`) runs a command by its name or by one of the words beside it.',
    '"Writes" marks commands that change something on the service; all but saving ask first.',
    '',
    ...sections,
    section('All panes', listedCommands(everywhere)),
    section('By name only', byName),
    section('Editor', editorCommands(commands)),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n');
}

/** Returns source/start/first-footer.ts: the keys of the first frame, which loads no command. */
export function firstFooterModule(commands: Commands): string {
  const entries = (['deployments', 'logs'] as const).map((context) => {
    const keys = footerKeys(commandsIn(commands, context)).map(
      ({ key, label, isFixed }) =>
        `    { key: ${quoted(key)}, label: ${quoted(label)}${isFixed === true ? ', isFixed: true' : ''} },`,
    );
    return `  ${context}: [\n${keys.join('\n')}\n  ],`;
  });
  return `/**
 * The footer of the first frame. Written by \`npm run docs\` (.config/write-docs.ts) from the
 * registered commands, which would load the whole view; a test compares the two.
 */
import type { FooterKey } from '../view/text/hints.ts';

export const firstFooter: Readonly<Record<'deployments' | 'logs', readonly FooterKey[]>> = {
${entries.join('\n')}
};
`;
}

function quoted(text: string): string {
  return `'${text.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
}

function editorCommands(commands: Commands): readonly BoundCommand[] {
  return listedCommands(commandsIn(commands, 'edit'));
}

function section(title: string, bound: readonly BoundCommand[]): string {
  const rows = bound.map(
    ({ command, keys, help }) =>
      `| ${keysText(keys)} | ${help} | ${namesText(command)} | ${command.writes === true ? 'yes' : ''} |`,
  );
  return [
    `## ${title}`,
    '',
    '| Keys | What | Names in the palette | Writes |',
    '|-|-|-|-|',
    ...rows,
    '',
  ].join('\n');
}

function namesText({ title, synonyms = [] }: Command): string {
  if (title === undefined) return '';
  return [`\`${title}\``, ...synonyms].join(', ');
}

function keysText(keys: readonly string[]): string {
  return keys.map((key) => `\`${keyLabel(key)}\``).join(' ');
}

function whereText(contexts: ReadonlySet<KeyContext>): string {
  if (paneContexts.every((context) => contexts.has(context))) return 'everywhere';
  return keyContexts
    .filter((context) => contexts.has(context))
    .map((context) => titles[context])
    .join(', ');
}
