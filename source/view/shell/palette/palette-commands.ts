import { placeKey } from '../../../store/drafts/places.ts';
import type { Action } from '../../command/action.ts';
import { type Command, contextOf, paneContexts } from '../../command/command.ts';
import { keyLabel } from '../../command/key-label.ts';
import { type BoundCommand, type Commands, commandsIn } from '../../command/registry.ts';
import { runCommand } from '../../command/run-command.ts';
import { deploymentUnderCursor } from '../../command/row-under-cursor.ts';
import type { VerbOf } from './palette-match.ts';
import type { PaletteCandidate } from './palette-search.ts';

/**
 * Returns the commands of the current context, in the order of the help. In the editor, the commands
 * of all panes follow its own, without keys, because their keys type there.
 */
export function paletteCommands(action: Action, commands: Commands): readonly PaletteCandidate[] {
  const { deck } = action;
  const { focus, main } = deck.screen.getState();
  const context = contextOf(focus, main);
  const bound = commandsIn(commands, context);
  const here = bound.map(({ command, keys }) => ({
    command,
    keys: [...keys, ...(command.quietKeys ?? []), ...keyTwice(bound, command)]
      .map(keyLabel)
      .join(' '),
  }));
  const offered = context === 'edit' ? [...here, ...commandsByName(commands)] : here;
  const deployment = deploymentUnderCursor(deck);
  const label = deployment === undefined ? '' : ` ${deck.deployments.label(deployment)}`;
  const rows = new Map<string, Offered>();
  for (const { command, keys } of offered) {
    if (command.title === undefined) continue;
    const name = command.subject === undefined ? command.title : `${command.title}${label}`;
    const first = rows.get(name);
    // Commands of the same name share one row with all their keys.
    const allKeys = [first?.keys ?? '', keys].filter((one) => one !== '').join(' ');
    rows.set(name, { command: first?.command ?? command, keys: allKeys });
  }
  return [...rows].map(([name, row]) => candidate(action, name, row));
}

/** A command with its keys in the usual notation. */
interface Offered {
  readonly command: Command;
  readonly keys: string;
}

/** Returns the key that runs the command when it is pressed twice, twice; none for most commands. */
function keyTwice(bound: readonly BoundCommand[], { doubleOf }: Command): readonly string[] {
  const key = bound.find(({ command }) => command.id === doubleOf)?.keys[0];
  return key === undefined ? [] : [key, key];
}

/** Returns the commands of all panes, without their keys. */
function commandsByName(commands: Commands): readonly Offered[] {
  return commandsIn(commands, 'deployments')
    .filter(({ command }) => paneContexts.every((pane) => command.contexts.includes(pane)))
    .filter(({ command }) => !command.contexts.includes('edit'))
    .map(({ command }) => ({ command, keys: '' }));
}

function candidate(action: Action, name: string, { command, keys }: Offered): PaletteCandidate {
  const { help, synonyms = [] } = command;
  const row = {
    id: `command ${name}`,
    name,
    isCommand: true,
    explanation: help === name ? '' : help,
    key: keys,
    run: () => runCommand(command, action),
  };
  return { name, more: help, synonyms, meaning: meaningOf(command), row: () => row };
}

/** Returns the word that the synonyms of a command stand for: `close` of `close deployments`. */
function meaningOf({ forDeployment, title = '' }: Command): string {
  return forDeployment?.verb ?? title.split(' ')[0] ?? '';
}

/**
 * Returns the verbs for any deployment: `close shop-2`. A command that names the deployment under the
 * cursor already offers the verb for it.
 */
export function deploymentVerbs(action: Action, commands: Commands): readonly VerbOf[] {
  const current = deploymentUnderCursor(action.deck);
  return commands.flatMap((command): readonly VerbOf[] => {
    const { forDeployment, synonyms = [], keys, subject } = command;
    if (forDeployment === undefined) return [];
    const { verb, run } = forDeployment;
    const key = keys.map(keyLabel).join(' ');
    return [
      {
        verb,
        synonyms,
        with({ name: label, deployment: id }) {
          if (id === undefined || (subject !== undefined && id === current)) return undefined;
          const name = `${verb} ${label}`;
          const row = () => ({
            id: `${command.id} ${id}`,
            name,
            isCommand: true,
            explanation: 'deployment',
            key,
            run: () => runCommand({ ...command, run: () => run(action, id) }, action),
          });
          return { name, more: '', synonyms: [], meaning: verb, deployment: id, row };
        },
      },
    ];
  });
}

/** Returns the verbs for any file of the opened service, `edit app.yaml`, and for any file with a draft. */
export function fileVerbs(
  action: Action,
  commands: Commands,
): { readonly anyFile: readonly VerbOf[]; readonly drafts: readonly VerbOf[] } {
  const withVerb = commands.filter(({ forFile }) => forFile !== undefined);
  const verbsOf = (needsDraft: boolean) =>
    withVerb
      .filter(({ forFile }) => (forFile?.needsDraft ?? false) === needsDraft)
      .map((command) => fileVerb(action, command));
  return { anyFile: verbsOf(false), drafts: verbsOf(true) };
}

function fileVerb(action: Action, command: Commands[number]): VerbOf {
  const { forFile, synonyms = [], keys, id } = command;
  const verb = forFile?.verb ?? '';
  return {
    verb,
    synonyms: synonyms.filter((synonym) => synonym !== verb),
    with(candidate) {
      const { place } = action.deck.files.state.getState();
      const { name: path } = candidate;
      const file = candidate.file ?? (place && { ...place, path });
      if (file === undefined || forFile === undefined) return undefined;
      const name = `${verb} ${path}`;
      const row = () => ({
        id: `${id} ${placeKey(file)}`,
        name,
        isCommand: true,
        explanation: candidate.file === undefined ? 'file' : candidate.row().explanation,
        key: keys.map(keyLabel).join(' '),
        run: () => runCommand({ ...command, run: () => forFile.run(action, file) }, action),
      });
      return { name, more: '', synonyms: [], meaning: verb, row };
    },
  };
}
