import { describe, expect, it } from 'vitest';
import type { EditorStore } from '../../../source/store/editor/editor.ts';
import { editorRows, gutterWidth, type TitleRule } from '../../../source/view/editor/rows.ts';
import { fitLine } from '../../../source/view/text/fit.ts';
import { look, openEditor } from '../../store/editor/open-editor.ts';
import type { Area } from '../../../source/terminal/screen/screen-rows.ts';

/** Opens a file with this text and returns functions that draw it as text. */
async function draw(path: string, text: string) {
  const opened = await openEditor();
  opened.foreign.put(opened.foreign.sample, 'web', path, text);
  const { editor } = opened;
  expect(await editor.open(opened.place(path), look)).toMatchObject({ kind: 'open' });
  const rows = (width: number, height = 8, hasKeys = true) =>
    drawRows(editor, { left: 3, top: 2, width, height }, hasKeys);
  const title = (width: number, rule?: TitleRule) =>
    drawRows(editor, { left: 0, top: 2, width, height: 8 }, true, rule).texts[0];
  return { ...opened, rows, title };
}

function drawRows(editor: EditorStore, area: Area, hasKeys: boolean, rule?: TitleRule) {
  const cursors: unknown[] = [];
  const painter = {
    paint: () => ({ reportChange() {}, isWritten: () => true, remove() {} }),
    placeCursor: (cell: unknown) => cursors.push(cell),
    setGround() {},
    afterShown() {},
  };
  const source = editorRows({ editor, area, painter, hasKeys: () => hasKeys, rule });
  const end = source.subscribe(() => {});
  const texts = source.rows().map((row) =>
    fitLine(row, area.width)
      .map((part) => part.text)
      .join('')
      .trimEnd(),
  );
  return { texts, cursors, source, end };
}

describe('the title of the editor', () => {
  it('shows the path, the unsaved state and the cursor position', async () => {
    const { editor, title } = await draw('config/shop.yaml', 'a: 1\nb: 2\n');
    expect(title(60)).toMatch(/^EDIT config\/shop\.yaml +yaml {2}Ln 1 Col 1$/);
    expect(title(60)).toHaveLength(60);
    editor.act((text) => text.run('down'));
    editor.act((text) => text.insert('x'));
    expect(title(60)).toMatch(/^EDIT config\/shop\.yaml {2}unsaved +yaml {2}Ln 2 Col 2$/);
    editor.act((text) => text.run('undo'));
    expect(title(60)).not.toContain('unsaved');
  });

  it('stands in a rule beside other panes, in brackets with the focus', async () => {
    const { title } = await draw('a.txt', 'a\n');
    expect(title(40, { character: '━', isFocused: true })).toBe(
      `[EDIT a.txt] ${'━'.repeat(14)} Ln 1 Col 1 ━`,
    );
    expect(title(40, { character: '─', isFocused: false })).toBe(
      ` EDIT a.txt ${'─'.repeat(15)} Ln 1 Col 1 ─`,
    );
    expect(title(12, { character: '━', isFocused: true })).toMatch(/^\[EDIT a.*\]/);
  });

  it('names unusual line ends and a byte order mark', async () => {
    expect((await draw('a.txt', 'a\r\nb\r\n')).title(60)).toMatch(/ {2}CRLF {2}Ln 1 Col 1$/);
    expect((await draw('a.txt', '\ufeffa\r\n')).title(60)).toMatch(/ {2}BOM CRLF {2}Ln 1 Col 1$/);
    expect((await draw('a.txt', '\ufeffa\n')).title(60)).toMatch(/ {2}BOM {2}Ln 1 Col 1$/);
    expect((await draw('a.txt', 'a\rb')).title(60)).toMatch(/ {2}CR {2}Ln 1 Col 1$/);
  });

  it('counts selected characters, and names an empty selection', async () => {
    const { editor, title } = await draw('a.txt', 'abc\n');
    editor.act((text) => text.run('set-mark'));
    expect(title(60)).toMatch(/selecting$/);
    editor.act((text) => text.run('right'));
    editor.act((text) => text.run('right'));
    expect(title(60)).toMatch(/ {2}2 selected$/);
  });

  it('drops the folders, then the position, then truncates the name in narrow panes', async () => {
    const { editor, title } = await draw('config/very/deep/settings.yaml', 'a\n');
    editor.act((text) => text.insert('x'));
    expect(title(50)).toMatch(/^EDIT settings\.yaml {2}unsaved +yaml {2}Ln 1 Col 2$/);
    expect(title(32)).toBe('EDIT settings.yaml  unsaved');
    expect(title(22)).toMatch(/^EDIT sett.*…? {2}unsaved$/);
    for (let width = 1; width < 60; width += 1)
      expect(title(width)?.length).toBeLessThanOrEqual(width);
  });

  it('sanitises the name', async () => {
    const { title } = await draw('a\u001b[31mb.txt', 'a\n');
    expect(title(60)).not.toContain('\u001b');
  });
});

describe('the text of the editor', () => {
  it('follows line numbers as wide as the last one', async () => {
    const { rows } = await draw('a.txt', Array.from({ length: 12 }, (_, i) => `l${i}`).join('\n'));
    expect(rows(60).texts.slice(1, 3)).toEqual(['   1 l0', '   2 l1']);
    expect([1, 9, 10, 999].map(gutterWidth)).toEqual([4, 4, 5, 6]);
  });

  it('marks changed lines until they are as on the service, but none of a new text', async () => {
    const { editor, rows, place } = await draw('a.txt', 'one\ntwo\n');
    editor.act((text) => text.run('down'));
    editor.act((text) => text.insert('x'));
    expect(rows(60).texts.slice(1, 3)).toEqual(['  1 one', '* 2 xtwo']);
    editor.act((text) => text.run('undo'));
    expect(rows(60).texts.slice(1, 3)).toEqual(['  1 one', '  2 two']);
    await editor.openNew(place('new.txt'), look);
    editor.act((text) => text.insert('x'));
    expect(rows(60).texts[1]).toBe('  1 x');
  });

  it('places the terminal cursor on its character while it has the focus', async () => {
    const { editor, rows } = await draw('a.txt', 'abc\n');
    const shown = rows(60);
    editor.act((text) => text.run('line-end'));
    expect(shown.cursors).toEqual([{ x: 3 + 4 + 3, y: 3 }]);
    shown.end();
    const behind = rows(60, 8, false);
    editor.act((text) => text.run('left'));
    expect(behind.cursors).toEqual([]);
    behind.source.placeCursor();
    expect(behind.cursors).toEqual([{ x: 3 + 4 + 2, y: 3 }]);
  });

  it('draws in any size', async () => {
    const { editor, rows } = await draw('a.txt', '日本語\n\n\tx\n');
    editor.act((text) => text.run('line-end'));
    for (let width = 1; width < 12; width += 1) {
      for (let height = 1; height < 4; height += 1) {
        expect(rows(width, height).texts.length).toBeGreaterThanOrEqual(1);
      }
    }
  });
});
