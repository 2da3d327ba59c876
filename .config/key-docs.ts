/** The documents that are generated from the registered commands. */
import {
  type Command,
  contextDigit,
  contextName,
  type KeyContext,
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

function titleOf(context: KeyContext): string {
  return `${contextDigit(context)} ${contextName(context)}`;
}

/** Returns the key list of the README: the keys that the footer names, pane by pane. */
export function readmeKeys(commands: Commands): string {
  const footers = paneContexts.map((context) => ({
    title: titleOf(context),
    keys: footerKeys(commandsIn(commands, context), context).map(
      ({ key, label }) => `\`${key}\` ${label}`,
    ),
  }));
  const [first, ...others] = footers;
  const shared = (first?.keys ?? []).filter((key) =>
    others.every(({ keys }) => keys.includes(key)),
  );
  const rows = footers.map(({ title, keys }) => ({
    title,
    keys: keys.filter((key) => !shared.includes(key)),
  }));
  return [
    '| Pane | Keys |',
    '|-|-|',
    ...[...rows, { title: 'All panes', keys: shared }]
      .filter(({ keys }) => keys.length > 0)
      .map(({ title, keys }) => `| ${title} | ${keys.join(', ')} |`),
  ].join('\n');
}

/** Returns docs/keys.md: all commands pane by pane, with their names in the palette. */
export function keysPage(commands: Commands): string {
  const isEverywhere = ({ command }: BoundCommand) =>
    paneContexts.every((context) => command.contexts.includes(context));
  const sections = paneContexts.map((context) => {
    const own = commandsIn(commands, context).filter((bound) => !isEverywhere(bound));
    return section(titleOf(context), listedCommands(own));
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
    'The keys of the configuration file ([Keys](configuration.md#keys)) name a command by its id.',
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
    const keys = footerKeys(commandsIn(commands, context), context).map(
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
      `| ${keysText(keys)} | ${help} | ${namesText(command)} | ${command.writes === true ? 'yes' : ''} | \`${command.id}\` |`,
  );
  return [
    `## ${title}`,
    '',
    '| Keys | What | Names in the palette | Writes | Id |',
    '|-|-|-|-|-|',
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
