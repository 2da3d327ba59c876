import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { keyContexts } from '../../../../source/view/command/command.ts';
import { keyLabel } from '../../../../source/view/command/key-label.ts';
import { commandsIn, listedCommands } from '../../../../source/view/command/registry.ts';
import { registeredCommands } from '../../../../source/view/shell/commands.ts';
import {
  chosenRow,
  firstVisible,
  helpRange,
  type HelpRow,
  helpRows,
  stepHelp,
} from '../../../../source/view/shell/help/help-rows.ts';

const rowsOf = (context: (typeof keyContexts)[number], typed = '') =>
  helpRows(commandsIn(registeredCommands, context), context, typed);
const topicsOf = (rows: readonly HelpRow[]) =>
  rows.flatMap((row) => (row.kind === 'topic' ? [row.text] : []));
const idsOf = (rows: readonly HelpRow[]) =>
  rows.flatMap((row) => (row.kind === 'command' ? [row.id] : []));
const chosenId = (rows: readonly HelpRow[], typed: string) => {
  const row = rows[chosenRow(rows, undefined, typed)];
  return row?.kind === 'command' ? row.id : undefined;
};

describe('the rows of the help', () => {
  it.each(keyContexts)('of %s list every key once, below the heading of a topic', (context) => {
    const rows = rowsOf(context);
    const listed = listedCommands(commandsIn(registeredCommands, context));
    const ids = idsOf(rows);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { command, keys, help } of listed) {
      expect(rows).toContainEqual(
        expect.objectContaining({ id: command.id, keys: keys.map(keyLabel).join(' '), help }),
      );
    }
    expect(rows[0]?.kind).toBe('topic');
    const topics = topicsOf(rows);
    expect(new Set(topics).size).toBe(topics.length);
    expect(topics.length).toBeLessThanOrEqual(11);
    for (const topic of topics) expect(topic).toBe(topic.toUpperCase());
  });

  it('of the log begin with following, finding and copying', () => {
    expect(topicsOf(rowsOf('logs')).slice(0, 3)).toEqual(['FOLLOW', 'FIND', 'COPY']);
    expect(topicsOf(rowsOf('files'))[0]).toBe('FILES');
  });

  it('hold the commands that have only a name', () => {
    const rows = rowsOf('logs');
    const first = rows.findIndex((row) => row.kind === 'topic' && row.text === 'BY NAME');
    const named = rows.slice(first + 1);
    expect(named.every((row) => row.kind === 'command' && row.keys === ':')).toBe(true);
    expect([named[0], named.at(-1)]).toEqual([
      expect.objectContaining({ keys: ':', help: 'one deployment', note: ':filter by deployment' }),
      expect.objectContaining({ keys: ':', help: 'end hostdeck', note: ':quit' }),
    ]);
  });
});

describe('a search of the help', () => {
  it.each([
    ['a word of the help text', 'logs', 'previous err', 'log.previous-error'],
    ['a title', 'logs', 'fill gaps', 'log.fill-gaps'],
    ['a synonym', 'files', 'vim', 'files.external-editor'],
    ['a key', 'logs', '^T', 'pane.log'],
    ['the name of a key', 'logs', 'pgup', 'move.page-up'],
    ['parts of several texts', 'deployments', 'rm clo', 'deployments.close'],
  ] as const)('finds %s', (_, context, typed, id) => {
    expect(idsOf(rowsOf(context, typed))).toEqual([id]);
  });

  it('selects the command of a typed key, in upper and lower case', () => {
    expect(chosenId(rowsOf('logs', 'E'), 'E')).toBe('log.previous-error');
    expect(chosenId(rowsOf('logs', 'e'), 'e')).toBe('log.next-error');
    expect(chosenId(rowsOf('logs', 'space'), 'space')).toBe('log.freeze');
  });

  it('shows the synonym that was found', () => {
    expect(rowsOf('deployments', 'kill')).toContainEqual(
      expect.objectContaining({ id: 'deployments.close', note: 'kill' }),
    );
    expect(rowsOf('deployments', 'close')).toContainEqual(
      expect.objectContaining({ id: 'deployments.close', note: ':close deployments' }),
    );
  });

  it('finds short words only where a word begins with them', () => {
    for (const row of rowsOf('deployments', 'rm')) {
      if (row.kind === 'command') expect(row.id).toBe('deployments.close');
    }
    expect(rowsOf('logs', 'zzz')).toEqual([]);
  });

  it('narrows: more words find some of the rows, in the same order', () => {
    const word = fc.constantFrom('log', 'copy', 'next', 'e', 'go', 'filter', '^', 'page');
    fc.assert(
      fc.property(fc.constantFrom(...keyContexts), word, word, (context, one, other) => {
        const wide = idsOf(rowsOf(context, one));
        const narrow = idsOf(rowsOf(context, `${one} ${other}`));
        expect(wide.filter((id) => narrow.includes(id))).toEqual(narrow);
      }),
    );
  });
});

describe('the cursor of the help', () => {
  const rows = rowsOf('logs');

  it('stands on commands only and stops at both ends', () => {
    const ids = idsOf(rows);
    expect(chosenRow(rows, undefined, '')).toBe(1);
    expect(chosenRow(rows, 'unknown', '')).toBe(1);
    expect(stepHelp(rows, 1, 1)).toBe(ids[1]);
    expect(stepHelp(rows, 1, -1)).toBe(ids[0]);
    expect(stepHelp(rows, 1, 1000)).toBe(ids.at(-1));
    expect(stepHelp([], -1, 1)).toBeUndefined();
    expect(chosenRow([], undefined, 'x')).toBe(-1);
  });

  it('is visible at any place, and the title counts the visible commands', () => {
    const count = idsOf(rows).length;
    for (let at = 1; at < rows.length; at += 1) {
      const first = firstVisible(rows.length, at, 12);
      expect(first).toBeLessThanOrEqual(at);
      expect(at).toBeLessThan(first + 12);
    }
    expect(helpRange(rows, 0, 12)).toBe(`1-10 of ${count}`);
    expect(helpRange(rows, rows.length - 12, 12)).toMatch(new RegExp(`-${count} of ${count}$`));
    expect(helpRange([], 0, 12)).toBe('0 of 0');
  });
});
