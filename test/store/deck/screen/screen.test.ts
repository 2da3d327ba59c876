import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cursorAt } from '../../../../source/store/lists/cursor.ts';
import { createScreenStore, type Screen } from '../../../../source/store/deck/screen/screen.ts';
import { eachListPane, listPaneNames } from '../../../../source/store/lists/list-panes.ts';
import { type Pane, panes } from '../../../../source/store/deck/screen/focus.ts';
import {
  type MainView,
  closeView,
  goBack,
  holdsView,
  openHistory,
  openView,
} from '../../../../source/store/deck/screen/main-view.ts';
import type { Overlay } from '../../../../source/store/deck/screen/overlay.ts';
import { escapeStep } from '../../../../source/store/deck/screen/escape.ts';

const noFilters = eachListPane(() => '');
const at = (more: Partial<Screen> = {}): Screen => ({ ...createScreenStore().getState(), ...more });
const after = (screen: Screen, change: Partial<Screen> | undefined): Screen => ({
  ...screen,
  ...change,
});
const escape = (screen: Screen) => after(screen, escapeStep(screen));
const bad = { text: 'Restart failed.', tone: 'bad', at: 0 } as const;

describe('a new screen', () => {
  it('starts with the log in pane 4 and the focus on the deployments, or on the given pane', () => {
    expect(at()).toMatchObject({ focus: 'deployments', main: { kind: 'logs' }, fullscreen: false });
    const tail = createScreenStore({ focus: 'main', fullscreen: true }).getState();
    expect(tail).toMatchObject({ focus: 'main', fullscreen: true });
  });
});

describe('Esc', () => {
  it('undoes one thing with each press: prompt or box, message, filter, fullscreen, view', () => {
    const filters = { ...noFilters, deployments: 'shop' };
    let screen = at({
      overlay: { kind: 'help', pane: 'deployments', text: '', caret: 0 },
      message: bad,
      filters,
      fullscreen: true,
    });
    screen = escape(screen);
    expect(screen).toMatchObject({ overlay: undefined, message: bad, filters, fullscreen: true });
    screen = escape(screen);
    expect(screen).toMatchObject({ message: undefined, filters, fullscreen: true });
    screen = escape(screen);
    expect(screen).toMatchObject({ filters: { deployments: '' }, fullscreen: true });
    screen = escape(screen);
    expect(screen.fullscreen).toBe(false);
    expect(escapeStep(screen)).toBeUndefined();
  });

  it('leaves fullscreen before the view that fills it', () => {
    const viewing = at({ ...openView(at(), { kind: 'file' }), fullscreen: true });
    const smaller = escape(viewing);
    expect(smaller).toMatchObject({ fullscreen: false, main: { kind: 'file' } });
    expect(escape(smaller).main).toEqual({ kind: 'logs' });
  });

  it('restores filter and cursor from before the prompt', () => {
    const cursor = cursorAt(['a', 'b', 'c'], 2);
    const before = at({ filters: { ...noFilters, deployments: 'shop', files: 'x' } });
    const overlay: Overlay = {
      kind: 'filter',
      pane: 'deployments',
      before: 'shop',
      cursor,
      caret: 0,
    };
    const typed = at({
      overlay,
      filters: { ...before.filters, deployments: 'shop-2' },
      message: bad,
    });
    expect(escape(typed)).toMatchObject({
      overlay: undefined,
      filters: before.filters,
      cursors: { ...before.cursors, deployments: cursor },
      message: bad,
    });
  });

  it('clears the filter of the focused list only', () => {
    const filters = { ...noFilters, deployments: 'shop', files: 'app' };
    expect(escape(at({ focus: 'files', filters })).filters).toEqual({ ...filters, files: '' });
    expect(escapeStep(at({ focus: 'main', filters }))).toBeUndefined();
  });

  it('keeps the cursor on its row when a filter is cleared', () => {
    const cursors = { ...at().cursors, deployments: cursorAt(['b'], 0) };
    const filters = { ...noFilters, deployments: 'b' };
    expect(escape(at({ cursors, filters })).cursors.deployments).toEqual({ id: 'b', index: 0 });
  });

  it('leaves a message that expires by itself', () => {
    const message = { ...bad, tone: 'good' } as const;
    expect(escapeStep(at({ message }))).toBeUndefined();
  });
});

const paneArbitrary = fc.constantFrom<Pane>(...panes);
const listArbitrary = fc.constantFrom(...listPaneNames);
const viewArbitrary = fc.constantFrom<Exclude<MainView, { kind: 'logs' }>>(
  { kind: 'file' },
  { kind: 'deployment', id: 'a' },
  { kind: 'grant', id: 'g' },
  { kind: 'answer', pane: 'files' },
);

describe('any ladder', () => {
  const overlayArbitrary = fc.oneof(
    fc.record({
      kind: fc.constant('help' as const),
      pane: paneArbitrary,
      text: fc.string(),
      caret: fc.constant(0),
    }),
    fc.record({
      kind: fc.constant('filter' as const),
      pane: listArbitrary,
      before: fc.constantFrom('', 'a'),
      cursor: fc.constant(cursorAt(['a'], 0)),
      caret: fc.constant(0),
    }),
    fc.constant({ kind: 'restart' as const, deployment: 'a', button: 0, shownAt: 0 }),
  );
  const text = fc.constantFrom('', 'a');
  const screenArbitrary = fc
    .record({
      overlay: fc.option(overlayArbitrary, { nil: undefined }),
      message: fc.constantFrom(undefined, bad),
      filters: fc.record(eachListPane(() => text)),
      fullscreen: fc.boolean(),
      focus: paneArbitrary,
      main: fc.oneof(viewArbitrary, fc.constant<MainView>({ kind: 'logs' })),
    })
    .map(at);

  it('reaches its end', () => {
    fc.assert(
      fc.property(screenArbitrary, (start) => {
        let screen = start;
        for (let press = 0; press < 8; press += 1) screen = escape(screen);
        expect(escapeStep(screen)).toBeUndefined();
      }),
    );
  });

  it('never acts below an open overlay', () => {
    fc.assert(
      fc.property(screenArbitrary, (screen) => {
        fc.pre(screen.overlay !== undefined);
        const { overlay, message, fullscreen, focus, main } = escape(screen);
        expect(overlay).toBeUndefined();
        expect({ message, fullscreen, focus, main }).toEqual({
          message: screen.message,
          fullscreen: screen.fullscreen,
          focus: screen.focus,
          main: screen.main,
        });
      }),
    );
  });
});

describe('a view', () => {
  it('opens in pane 4 at its top, with the focus', () => {
    const opened = after(at(), openView(at({ scroll: { top: 9, left: 4 } }), { kind: 'file' }));
    expect(opened).toMatchObject({
      focus: 'main',
      main: { kind: 'file' },
      scroll: { top: 0, left: 0 },
    });
  });

  it('goes back to the pane it was opened from, also to the log', () => {
    fc.assert(
      fc.property(paneArbitrary, viewArbitrary, (focus, view) => {
        const before = at({ focus });
        const opened = after(before, openView(before, view));
        expect(after(opened, goBack(opened))).toEqual(before);
      }),
    );
  });

  it('opened over another view goes back to that one first, at its place', () => {
    const list = at({ focus: 'files' });
    const log = after(list, openView(list, { kind: 'logs' }));
    const details = after(log, openView(log, { kind: 'deployment', id: 'a' }));
    const scrolled = { ...details, scroll: { top: 7, left: 0 } };
    const history = after(scrolled, openHistory(scrolled));
    expect(after(history, goBack(history))).toEqual(scrolled);
    const closed = after(scrolled, goBack(scrolled));
    expect(closed).toEqual(log);
    expect(after(closed, goBack(closed))).toEqual(list);
    expect(goBack(list)).toBeUndefined();
  });

  it('takes the place of the viewer of its file, if it is the editor', () => {
    const list = at({ focus: 'files' });
    const viewer = after(list, openView(list, { kind: 'file' }));
    const editor = after(viewer, openView(viewer, { kind: 'editor' }));
    expect(after(editor, closeView(editor, 'editor'))).toEqual(list);
  });
});

describe('any walk through panes and views', () => {
  const step = fc.oneof(
    fc.record({ focus: paneArbitrary }),
    fc.record({
      open: fc.constantFrom<MainView>(
        { kind: 'logs' },
        { kind: 'file' },
        { kind: 'editor' },
        { kind: 'diff' },
        { kind: 'patterns' },
        { kind: 'patterns', isCompared: true },
        { kind: 'deployment', id: 'a' },
        { kind: 'deployment', id: 'b' },
      ),
    }),
    fc.record({ close: fc.constantFrom<MainView['kind']>('file', 'editor', 'diff') }),
    fc.constant({ toggle: true }),
    fc.constant({ back: true }),
  );
  const walk = fc.array(step, { maxLength: 30 }).map((steps) => {
    const screen = createScreenStore();
    for (const one of steps) {
      const { focus, main } = screen.getState();
      if ('focus' in one) screen.focus.to(one.focus);
      else if ('open' in one) screen.view.open(one.open);
      else if ('close' in one) screen.view.close(one.close);
      else if ('toggle' in one) screen.view.toggleLog();
      // Only its own keys leave the editor.
      else if (focus !== 'main' || main.kind !== 'editor') screen.goBack();
    }
    return { screen, steps };
  });

  it('has a way back to a list or the first log, with each view once', () => {
    fc.assert(
      fc.property(walk, ({ screen }) => {
        const { focus, wayBack, main } = screen.getState();
        const views = wayBack.filter(({ focus }) => focus === 'main').map((place) => place.main);
        expect(wayBack.slice(1).every(({ focus }) => focus === 'main')).toBe(true);
        expect(views.length).toBeLessThanOrEqual(10);
        expect(views.filter(({ kind }) => kind === 'editor').length).toBeLessThanOrEqual(1);
        if (focus === 'main' && main.kind !== 'logs') expect(wayBack).not.toEqual([]);
        for (let press = 0; press < 12; press += 1) screen.goBack();
        const end = screen.getState();
        expect(end.focus !== 'main' || end.main.kind === 'logs').toBe(true);
        expect(screen.goBack()).toBe(false);
      }),
    );
  });

  it('keeps an opened editor until it is closed', () => {
    fc.assert(
      fc.property(walk, ({ screen, steps }) => {
        const opened = steps.findLastIndex((one) => 'open' in one && one.open.kind === 'editor');
        const closed = steps.findLastIndex((one) => 'close' in one && one.close === 'editor');
        expect(holdsView(screen.getState(), 'editor')).toBe(opened > closed);
      }),
    );
  });
});
