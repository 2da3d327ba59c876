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

/** The keys of the README: commands, and what they are for. */
const firstKeys: readonly (readonly [ids: readonly string[], use: string])[] = [
  [['deployments.open', 'app.quit'], 'open; go back'],
  [['move.down', 'move.up'], 'move the cursor'],
  [['attention.next'], 'go to what fails: the log at its newest error'],
  [['log.search', 'log.filter'], 'search a log; filter it'],
  [['log.freeze', 'log.follow'], 'pause the log; follow it'],
  [['files.edit', 'editor.save'], 'edit a file; save it'],
  [['restarts.restart', 'restarts.cancel'], 'restart a deployment; cancel a pending restart'],
  [['deployments.create', 'deployments.close'], 'create; close, delete or revoke'],
  [['deployments.mark'], 'mark a row, for a change of several'],
  [['trash.undo'], 'undo'],
  [['app.palette'], 'any command, deployment, service or file by name'],
  [['app.help'], 'all keys of the pane'],
];

/** Returns the key list of the README: a dozen keys to begin with. */
export function readmeKeys(commands: Commands): string {
  const all = commands.map(({ id, keys }) => [id, keys[0]] as const);
  const keyOf = new Map(all);
  const rows = firstKeys.map(([ids, use]) => {
    const keys = ids.map((id) => {
      const key = keyOf.get(id);
      if (key === undefined) throw new Error(`No command ${id} has a key.`);
      return `\`${keyLabel(key)}\``;
    });
    return `| ${keys.join(' ')} | ${use} |`;
  });
  return ['| Keys | |', '|-|-|', ...rows].join('\n');
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
    '| Keys | Action | Names in the palette | Writes | Id |',
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
  return keys.map((key) => `\`${keyLabel(key).replace('|', String.raw`\|`)}\``).join(' ');
}
