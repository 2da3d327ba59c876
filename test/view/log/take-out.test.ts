import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import type { Deck } from '../../../source/store/deck/deck.ts';
import { dispatch } from '../../../source/view/shell/dispatch.ts';
import { detailUnderCursor } from '../../../source/view/details/details.ts';
import { selectionText } from '../../../source/view/log/range.ts';
import { transferLine } from '../../../source/view/files/transfer-line.ts';
import { noClipboard } from '../no-clipboard.ts';
import { openDeck, type OpenDeck } from '../open-deck.ts';
import { boxOf, press, promptOf, said, type } from '../press-keys.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { waitFor } from '../../support/wait-for.ts';
import { setScreen } from '../../support/set-screen.ts';
import type { Tail } from '../../../source/store/log/tail.ts';

const texts = [
  'first',
  'two\rparts',
  '{"user":"dana","ports":[80,443]}',
  'fourth',
  'fifth \x1b[31mred',
];

interface OpenLog extends OpenDeck {
  readonly tail: Tail;
  readonly copied: string[];
  readonly printed: (string | undefined)[];
  /** Presses keys, with a clipboard that records its texts. */
  readonly keys: (...names: readonly string[]) => void;
  /** Returns lines with time and service, as they are copied whole. */
  readonly whole: (from: number, to: number) => readonly string[];
}

/** Opens and focuses a log with two lines of the start and the lines above. */
async function openLog(): Promise<OpenLog> {
  const open = await openDeck();
  const { deck, foreign } = open;
  for (const text of texts) foreign.append(foreign.sample, 'web', text);
  const { tail } = deck.opened.getState();
  if (tail === undefined) throw new Error('no log is open');
  await waitFor(() => {
    expect(tail.entries.length).toBe(2 + texts.length);
    expect(lastText(tail)).toBe(texts.at(-1));
  });
  setScreen(deck.screen, { focus: 'main', main: { kind: 'logs' } });
  const copied: string[] = [];
  const printed: (string | undefined)[] = [];
  const clipboard = {
    copy: async (text: string) => {
      copied.push(text);
      return noClipboard.copy(text);
    },
    hasCopied: () => copied.length > 0,
    print: async (text?: string) => {
      printed.push(text);
    },
  };
  const terminal = {
    quit() {},
    suspend() {},
    redraw() {},
    hand: async () => undefined,
    pipe: async () => undefined,
    clipboard,
  };
  return {
    ...open,
    tail,
    copied,
    printed,
    keys(...names) {
      for (const name of names) {
        const text = name.length === 1 ? { text: name } : {};
        dispatch({ name, ...text }, { deck, terminal, viewport: { rows: 4, lines: 4 } });
      }
    },
    whole: (from, to) =>
      tail.entries
        .slice(0, tail.entries.length)
        .slice(from, to)
        .map((entry) => {
          if (entry.kind === 'gap') throw new Error('a gap');
          return `${entry.line.timestamp} ${entry.line.serviceName}  ${entry.line.logLine}`;
        }),
    [Symbol.asyncDispose]: () => open[Symbol.asyncDispose](),
  };
}

function lastText({ entries }: Tail): string | undefined {
  const last = entries.at(entries.length - 1);
  return last?.kind === 'line' ? last.line.logLine : undefined;
}

function cursorText({ entries, view }: Tail): string | undefined {
  const position = view.position.getState();
  if (position.kind === 'following') return undefined;
  const entry = entries.at(entries.indexOf(position.cursor));
  return entry?.kind === 'line' ? entry.line.logLine : undefined;
}

const isFollowing = ({ view }: Tail) => view.position.getState().kind === 'following';

describe('copying from the log', () => {
  it('freezes a followed log and copies its newest line unchanged', async () => {
    await using log = await openLog();
    log.keys('y');
    await waitFor(() => expect(log.copied).toEqual([texts[4]]));
    expect(cursorText(log.tail)).toBe(texts[4]);
    await said(log.deck, 'to the clipboard. P prints it.');
    log.keys('Y');
    await waitFor(() => expect(log.copied[1]).toBe(log.whole(-1, 99)[0]));
  });

  it('copies the selection while lines arrive, and Esc only clears the selection', async () => {
    await using log = await openLog();
    log.keys('k', 'v', 'k', 'k');
    expect(selectionText(log.deck)).toBe('3 lines selected');
    log.foreign.append(log.foreign.sample, 'web', 'more');
    await waitFor(() => expect(lastText(log.tail)).toBe('more'));
    log.keys('y');
    await waitFor(() => expect(log.copied).toEqual([texts.slice(1, 4).join('\n')]));
    log.keys('escape');
    expect(selectionText(log.deck)).toBeUndefined();
    expect(cursorText(log.tail)).toBe(texts[1]);
  });

  it('extends the selection with G and g, and follows again with Space', async () => {
    await using log = await openLog();
    log.keys('k', 'k', 'v', 'G');
    expect(selectionText(log.deck)).toBe('3 lines selected');
    log.keys('g');
    expect(selectionText(log.deck)).toBe('5 lines selected');
    expect(cursorText(log.tail)).toBe('started');
    log.keys('v');
    expect(log.tail.view.selection()).toBeUndefined();
    log.keys('v', 'space');
    expect(isFollowing(log.tail)).toBe(true);
  });

  it('reports that a filter hides the whole selection', async () => {
    await using log = await openLog();
    log.keys('v', 'k');
    log.tail.filter.setQuery({ text: 'first', regex: false });
    expect(selectionText(log.deck)).toBe('No selected line is shown');
    for (const key of ['y', 'S', 'P']) {
      setScreen(log.deck.screen, { message: undefined });
      log.keys(key);
      await said(log.deck, 'No selected line is shown. Esc deselects.');
    }
    expect(log.copied).toEqual([]);
    log.keys('escape', 'y');
    await waitFor(() => expect(log.copied).toEqual(['first']));
  });

  it('keeps the selection on Esc while an error or a prompt is open', async () => {
    await using log = await openLog();
    log.keys('v');
    log.deck.messages.say('No answer.', 'bad');
    log.keys('escape');
    expect(selectionText(log.deck)).toBe('1 line selected');
    log.keys('S');
    press(log.deck, 'escape');
    expect(selectionText(log.deck)).toBe('1 line selected');
  });

  it('reports an empty log', async () => {
    await using open = await openDeck();
    setScreen(open.deck.screen, { focus: 'main', main: { kind: 'logs' } });
    const closed = { id: undefined, tail: undefined };
    vi.spyOn(open.deck.opened, 'getState').mockReturnValue(closed);
    press(open.deck, 'y');
    await said(open.deck, 'No line to copy.');
    press(open.deck, 'S');
    await said(open.deck, 'No lines to save.');
    press(open.deck, 'enter');
    expect(open.deck.screen.getState().main.kind).toBe('logs');
  });
});

describe('printing from the log', () => {
  it('prints the selection, the visible lines, or a copy that a message offers', async () => {
    await using log = await openLog();
    log.tail.view.recordTop({ seq: log.tail.entries.at(1)?.seq ?? 0, skipped: 0 });
    log.keys('P');
    await waitFor(() => expect(log.printed[0]?.split('\n')).toEqual(log.whole(1, 5)));
    expect(isFollowing(log.tail)).toBe(true);
    log.keys('v', 'k', 'P');
    await waitFor(() => expect(log.printed[1]?.split('\n')).toEqual(log.whole(-2, 99)));
    log.keys('y');
    await said(log.deck, 'P prints it.');
    log.keys('P');
    await waitFor(() => expect(log.printed[2]).toBeUndefined());
    expect(log.printed).toHaveLength(3);
  });
});

async function typePath(deck: Deck, file: string): Promise<void> {
  await promptOf(deck, ' as: ');
  press(deck, 'ctrl+u');
  type(deck, file);
  press(deck, 'enter');
}

describe('exporting the log', () => {
  it('writes the shown or selected lines, byte for byte', async () => {
    await using log = await openLog();
    const folder = temporaryFolder();
    log.keys('S');
    const offered = await promptOf(log.deck, 'Save 7 lines as: ');
    expect(offered).toMatch(/^\.\/bazaar-\d{8}-\d{4}\.log$/);
    await typePath(log.deck, `${folder}/all.log`);
    await said(log.deck, `Saved 7 lines, `);
    expect(readFileSync(`${folder}/all.log`, 'utf8')).toBe(`${log.whole(0, 7).join('\n')}\n`);
    log.keys('v', 'k', 'S');
    await promptOf(log.deck, 'Save 2 lines selected');
    await typePath(log.deck, `${folder}/two.jsonl`);
    await said(log.deck, 'Saved 2 lines as JSON, ');
    const records = readFileSync(`${folder}/two.jsonl`, 'utf8').trimEnd().split('\n');
    expect(records.map((line) => (JSON.parse(line) as { logLine: string }).logLine)).toEqual(
      texts.slice(3),
    );
    expect(log.deck.screen.getState().transfer).toBeUndefined();
  });

  it('uses a default name in a folder, and confirms before replacing a file', async () => {
    await using log = await openLog();
    const folder = temporaryFolder();
    log.keys('S');
    const offered = await promptOf(log.deck, 'Save');
    await typePath(log.deck, folder);
    await said(log.deck, 'Saved 7 lines');
    const [name = ''] = readdirSync(folder);
    expect(`./${name}`).toBe(offered);
    writeFileSync(path.join(folder, name), 'mine');
    log.keys('S');
    await typePath(log.deck, `${folder}/`);
    expect((await boxOf(log.deck, 'replace')).lines[0]).toContain(name);
    press(log.deck, 'escape');
    expect(readFileSync(path.join(folder, name), 'utf8')).toBe('mine');
    log.keys('S');
    await typePath(log.deck, `${folder}/${name}`);
    await boxOf(log.deck, 'replace');
    press(log.deck, 'tab', 'enter');
    await waitFor(() =>
      expect(readFileSync(path.join(folder, name), 'utf8')).toBe(`${log.whole(0, 7).join('\n')}\n`),
    );
    expect(readdirSync(folder)).toEqual([name]);
  });

  it('reports the reason when a file cannot be written', async () => {
    await using log = await openLog();
    const folder = temporaryFolder();
    log.keys('S');
    await typePath(log.deck, `${folder}/none/a.log`);
    await said(log.deck, `Can't write ${folder}/none/a.log: the folder does not exist. Nothing`);
    log.keys('S');
    await typePath(log.deck, `${folder}/a.log ${folder}/b.log`);
    await said(log.deck, 'Enter the path of one file. Nothing was saved.');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('waits for a running filter', async () => {
    await using log = await openLog();
    const folder = temporaryFolder();
    log.tail.filter.setQuery({ text: 'f', regex: false });
    const { filter } = log.tail;
    vi.spyOn(filter, 'isDone').mockImplementation(() => filter.state.getState().done);
    filter.state.setState({ done: false, looked: 3, total: 7 });
    log.keys('S');
    expect(await promptOf(log.deck, 'Save 3 lines so far as: ')).toContain('bazaar');
    await typePath(log.deck, `${folder}/a.log`);
    await waitFor(() => {
      const { transfer } = log.deck.screen.getState();
      expect(transfer).toMatchObject({ verb: 'Filtering', progress: { linesDone: 3, lines: 7 } });
    });
    expect(readdirSync(folder)).toEqual([]);
    log.tail.filter.state.setState({ done: true });
    await said(log.deck, 'Saved 3 lines');
    log.tail.filter.state.setState({ done: false });
    log.keys('S');
    await typePath(log.deck, `${folder}/b.log`);
    await waitFor(() => expect(log.deck.screen.getState().transfer).toBeDefined());
    log.keys('ctrl+c');
    await said(log.deck, 'Cancelled. Nothing was saved.');
    expect(readdirSync(folder)).toEqual(['a.log']);
  });

  it('removes the file of a cancelled export', async () => {
    await using log = await openLog();
    const folder = temporaryFolder();
    log.keys('S');
    let under = '';
    const stop = log.deck.screen.subscribe(({ transfer }) => {
      if (transfer === undefined || under !== '') return;
      under = transferLine(transfer)
        .map(({ text }) => text)
        .join('');
      log.keys('ctrl+c');
    });
    await typePath(log.deck, `${folder}/a.log`);
    await said(log.deck, 'Cancelled. Nothing was saved.');
    stop();
    expect(under).toBe('Saving 0 of 7 lines. ^C stops it.');
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('a line in full', () => {
  it('shows its fields and its JSON, copies values, and returns to the log', async () => {
    await using log = await openLog();
    log.keys('k', 'k', 'enter');
    expect(log.deck.screen.getState().main).toMatchObject({ kind: 'line' });
    log.keys('/');
    expect(log.deck.screen.getState().overlay).toMatchObject({ prompt: { label: '/' } });
    log.keys('escape');
    const values = new Set<string | undefined>();
    for (let row = 0; row < 30; row += 1) {
      values.add(detailUnderCursor(log.deck)?.value);
      log.keys('j');
    }
    expect([...values]).toEqual(expect.arrayContaining(['web', 'dana', '443', texts[2]]));
    log.keys('Y');
    await waitFor(() => expect(log.copied).toEqual([texts[2]]));
    log.keys('escape');
    expect(log.deck.screen.getState()).toMatchObject({ focus: 'main', main: { kind: 'logs' } });
    expect(cursorText(log.tail)).toBe(texts[2]);
  });
});

describe('the prompt of an export', () => {
  it('opens with the default selected, which typing replaces and Left edits', async () => {
    await using log = await openLog();
    const { deck } = log;
    log.keys('S');
    const offered = await promptOf(deck, ' as: ');
    type(deck, 'a.log');
    expect(await promptOf(deck, ' as: ')).toBe('a.log');
    press(deck, 'escape');
    log.keys('S');
    await promptOf(deck, ' as: ');
    press(deck, 'left', 'x');
    expect(await promptOf(deck, ' as: ')).toBe(`${offered.slice(0, -1)}xg`);
    press(deck, 'escape');
    log.keys('S');
    await promptOf(deck, ' as: ');
    press(deck, 'end', '2');
    expect(await promptOf(deck, ' as: ')).toBe(`${offered}2`);
    press(deck, 'escape');
    log.keys('S');
    await promptOf(deck, ' as: ');
    press(deck, 'backspace');
    expect(await promptOf(deck, ' as: ')).toBe('');
  });

  it('is open again with the path and the error after a failure', async () => {
    await using log = await openLog();
    const { deck } = log;
    const file = `${temporaryFolder()}/none/all.log`;
    log.keys('S');
    await promptOf(deck, ' as: ');
    type(deck, file);
    press(deck, 'enter');
    await waitFor(() =>
      expect(deck.screen.getState().overlay).toMatchObject({
        kind: 'prompt',
        text: file,
        problem: { sentence: "Can't write: the folder does not exist." },
      }),
    );
    press(deck, 'left');
    expect(deck.screen.getState().overlay).toMatchObject({ text: file, problem: {} });
    press(deck, 'backspace');
    expect(deck.screen.getState().overlay).toMatchObject({ problem: undefined });
  });

  it('stays closed after a failure when another pane has the focus', async () => {
    await using log = await openLog();
    const { deck } = log;
    log.keys('S');
    await promptOf(deck, ' as: ');
    type(deck, `${temporaryFolder()}/none/all.log`);
    press(deck, 'enter', '1');
    await said(deck, 'Nothing was saved.');
    expect(deck.screen.getState().overlay).toBeUndefined();
  });
});
