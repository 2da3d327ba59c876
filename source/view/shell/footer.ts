import type { KeyContext } from '../command/command.ts';
import { keyLabel } from '../command/key-label.ts';
import { type BoundCommand } from '../command/registry.ts';
import { isForWriting } from '../command/run-command.ts';
import { type FooterKey, keysLine } from '../text/hints.ts';
import type { Line } from '../text/line.ts';
import type { FooterReach } from './footer-reach.ts';

/**
 * Commands in the order of the footer, where the order of the help is another. The commands that are
 * not named follow in the order of the help.
 */
const orders: Readonly<Partial<Record<KeyContext, readonly string[]>>> = {
  deployments: [
    'deployments.open',
    'deployments.create',
    'restarts.restart',
    'deployments.close',
    'deployments.details',
    'list.filter',
    'app.palette',
    'app.quit',
    'attention.next',
    'list.order',
    'deployments.create-like',
    'deployments.mark',
  ],
  grants: [
    'grants.open',
    'grants.create',
    'grants.create-like',
    'grants.revoke',
    'list.order',
    'list.filter',
    'app.palette',
  ],
  logs: [
    'log.freeze',
    'log.follow',
    'log.search',
    'log.filter',
    'log.filters',
    'log.next-error',
    'app.quit',
  ],
  edit: [
    'editor.save',
    'editor.leave',
    'editor.find',
    'editor.undo',
    'restarts.restart',
    'pane.log',
    'editor.discard',
    'editor.next-problem',
  ],
  view: [
    'files.edit',
    'text.search',
    'text.next-match',
    'files.copy-line',
    'files.compare',
    'files.download',
    'text.wrap',
    'app.quit',
  ],
  patterns: [
    'patterns.only',
    'patterns.hide',
    'patterns.name',
    'text.search',
    'text.next-match',
    'app.quit',
  ],
  details: ['files.edit-code', 'log.newer-line', 'text.search', 'text.wrap', 'app.quit'],
  diff: ['diff.next-change', 'diff.previous-change', 'app.quit', 'text.search'],
  history: ['text.search', 'text.next-match', 'history.copy', 'app.quit'],
};

/** Commands of use while the token is rejected. */
const rejectedIds = new Set(['app.refetch-anywhere', 'app.palette', 'app.quit', 'app.help']);

/** Draws the last row: as many labelled keys as fit whole, and always the help key. */
export function footerLine(
  commands: readonly BoundCommand[],
  context: KeyContext,
  width: number,
  reach: FooterReach = 'online',
): Line {
  return keysLine(footerKeys(commands, context, reach), width);
}

/** Returns the labelled keys of the footer in order. */
export function footerKeys(
  commands: readonly BoundCommand[],
  context: KeyContext,
  reach: FooterReach = 'online',
): readonly FooterKey[] {
  const firstKey = (id: string) => commands.find(({ command }) => command.id === id)?.keys[0];
  // The key that ends a failure comes first; it has a label only then.
  const order = ['app.refetch-anywhere', ...(orders[context] ?? [])];
  const rank = ({ command }: BoundCommand): number => {
    const index = order.indexOf(command.id);
    return index === -1 ? order.length : index;
  };
  return commands
    .filter(({ command }) => isUseful(command, reach))
    .toSorted((a, b) => rank(a) - rank(b))
    .flatMap(({ command, keys, label }) => {
      const [key] = keys;
      if (label === undefined || key === undefined) return [];
      const isHelp = command.group === 'help';
      const paired = command.pairedWith === undefined ? undefined : firstKey(command.pairedWith);
      const footerKey = [key, ...(paired === undefined ? [] : [paired])].map(keyLabel).join('/');
      const { id } = command;
      return [{ key: footerKey, label, command: id, ...(isHelp ? { isFixed: true } : {}) }];
    });
}

function isUseful(command: BoundCommand['command'], reach: FooterReach): boolean {
  switch (reach) {
    case 'online':
      return true;
    case 'read-only':
      return !isForWriting(command);
    case 'offline':
      return command.writes !== true;
    case 'rejected':
      return rejectedIds.has(command.id);
  }
}
