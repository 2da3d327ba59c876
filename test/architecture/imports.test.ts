import { describe, expect, test } from 'vitest';
import {
  type Import,
  imports,
  importsOf,
  nounOf,
  roomOf,
  sources,
  textOf,
  withoutComments,
} from './sources.ts';

type Allowance = 'all' | 'types';

const everything = {
  system: 'all',
  contract: 'all',
  terminal: 'all',
  editor: 'all',
  tail: 'all',
  client: 'all',
  host: 'all',
  store: 'all',
  config: 'all',
  disk: 'all',
  view: 'all',
  desktop: 'all',
  commands: 'all',
} as const;

/** The rooms that a room may import, and whether more than types. No room may import start. */
const rooms: Readonly<Record<string, Readonly<Record<string, Allowance>>>> = {
  system: {},
  contract: { system: 'all' },
  terminal: { system: 'all' },
  editor: { system: 'all', contract: 'all' },
  tail: { system: 'all', contract: 'all' },
  client: { system: 'all', contract: 'all' },
  host: { system: 'all', contract: 'all' },
  store: { system: 'all', contract: 'all', tail: 'all', editor: 'all', client: 'types' },
  config: { system: 'all', contract: 'all', tail: 'all', store: 'types', host: 'types' },
  disk: { system: 'all', config: 'all', contract: 'all', client: 'all', store: 'all' },
  view: {
    system: 'all',
    store: 'all',
    terminal: 'all',
    contract: 'all',
    editor: 'all',
    tail: 'all',
    client: 'types',
  },
  desktop: { system: 'all', terminal: 'all', disk: 'all', view: 'types' },
  commands: {
    system: 'all',
    client: 'all',
    store: 'all',
    tail: 'all',
    editor: 'all',
    disk: 'all',
    config: 'all',
    contract: 'all',
    terminal: 'all',
    host: 'all',
  },
  start: everything,
};

/** Folders of the store that every other one may import. */
const storeGround = ['lists', 'time', 'drafts', 'prompts', 'history'];

/** Other nouns that a noun of the store may import; deck may import every noun. */
const storeNouns: Readonly<Record<string, readonly string[]>> = {
  alerts: ['deployments', 'grants', 'log', 'restarts'],
  restarts: ['deployments'],
  transfers: ['files'],
  log: ['deployments', 'restarts', 'transfers'],
  proof: ['alerts', 'deployments', 'log', 'restarts'],
  'text-search': ['log'],
};

/** Floors of the view, lowest first; its other folders are nouns, between parts and shell. */
const viewGround = ['text', 'ink', 'command', 'parts', 'popup'];

/** Other nouns that a noun of the view may import. */
const viewNouns: Readonly<Record<string, readonly string[]>> = {
  files: ['editor', 'log'],
  trash: ['editor', 'files', 'log'],
  editor: ['log', 'restarts'],
  alerts: ['log'],
  deployments: ['editor', 'restarts'],
  details: ['log', 'grants', 'deployments'],
  incident: ['history'],
};

const pureRooms = new Set(['contract', 'tail', 'editor']);

/** Uses that make a pure room depend on anything but its arguments. */
const impurities = new RegExp(
  [
    String.raw`\b(?:Date\.now|Math\.random|setTimeout|setInterval|setImmediate|queueMicrotask)\b`,
    String.raw`\bnew Date\(\)`,
    String.raw`(?<![.\w])(?:performance|process|crypto|console|globalThis)\.`,
    String.raw`(?<![.\w])fetch\(`,
  ].join('|'),
);

const impureImports = /^(?:node:|react|ink|zustand|undici|ws|fastify|meow)/;

/** Returns why an import breaks the table of rooms; undefined where it doesn't. */
function roomOffence({ from, to, typeOnly }: Import): string | undefined {
  const room = roomOf(from);
  if (!to.startsWith('source/')) {
    const isInk = /^ink(?:-|$)/.test(to);
    if (isInk && room !== 'view' && room !== 'start') return `${from} imports ${to}`;
    const isImpure = room !== undefined && pureRooms.has(room) && impureImports.test(to);
    return isImpure ? `${from} is pure, but imports ${to}` : undefined;
  }
  const target = roomOf(to);
  if (room === target) return undefined;
  const allowance = target === undefined ? undefined : rooms[room ?? '']?.[target];
  if (allowance === undefined) return `${from} imports ${to}`;
  return allowance === 'types' && !typeOnly
    ? `${from} imports more than types of ${to}`
    : undefined;
}

/** Returns why an import inside the store or the view breaks its table. */
function nounOffence({ from, to }: Import): string | undefined {
  const room = roomOf(from);
  if (room !== roomOf(to) || (room !== 'store' && room !== 'view')) return undefined;
  const [noun = '', target = ''] = [nounOf(from), nounOf(to)];
  const isAllowed = room === 'store' ? storeAllows(noun, target) : viewAllows(noun, target);
  return isAllowed ? undefined : `${from} imports ${to}`;
}

function storeAllows(noun: string, target: string): boolean {
  if (noun === target || noun === 'deck') return true;
  const low = storeGround.indexOf(noun);
  if (low >= 0) return storeGround.includes(target);
  return storeGround.includes(target) || storeNouns[noun]?.includes(target) === true;
}

function viewAllows(noun: string, target: string): boolean {
  if (noun === target || noun === 'shell') return true;
  const low = viewGround.indexOf(noun);
  if (low >= 0) return viewGround.indexOf(target) >= 0 && viewGround.indexOf(target) < low;
  return viewGround.includes(target) || viewNouns[noun]?.includes(target) === true;
}

/** Returns the files of one import cycle, in order; undefined where there is none. */
function cycle(edges: readonly Pick<Import, 'from' | 'to'>[]): string[] | undefined {
  const targets = new Map<string, string[]>();
  for (const { from, to } of edges) targets.set(from, [...(targets.get(from) ?? []), to]);
  const done = new Set<string>();
  const visit = (file: string, trail: readonly string[]): string[] | undefined => {
    if (trail.includes(file)) return [...trail.slice(trail.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const target of targets.get(file) ?? []) {
      const found = visit(target, [...trail, file]);
      if (found !== undefined) return found;
    }
    done.add(file);
    return undefined;
  };
  for (const file of targets.keys()) {
    const found = visit(file, []);
    if (found !== undefined) return found;
  }
  return undefined;
}

function impurityOf(text: string): string | undefined {
  return impurities.exec(withoutComments(text))?.[0];
}

/** Returns whether a file sets the state of a store that another file creates. */
function setsForeignStore(file: string, text: string): boolean {
  const code = withoutComments(text);
  if (!/\bsetState\(/.test(code)) return false;
  const isForeign = roomOf(file) !== 'store' || !/\bcreateStore\b/.test(code);
  return isForeign || /\bscreen\.setState\(/.test(code);
}

/** Entries of the program: a command that can't be loaded ends with the sentence of an error. */
const entries = /^source\/(?:commands\/[\w-]+\/commands|start\/(?:cli|command-line|run))\.ts$/;

/** Returns how often a file imports at run time without a lazy part around it. */
function bareImports(text: string): number {
  const code = withoutComments(text);
  const [outside = '', ...parts] = code.split(/\b(?:lazy|early)Part\(/);
  const rests = parts.map((part) => part.slice(callEnd(part)));
  return (
    [outside, ...rests].join('').match(/\bawait import\(|=> import\(|void import\(/g)?.length ?? 0
  );
}

/** Returns where the call ends whose arguments a text begins with. */
function callEnd(text: string): number {
  let open = 1;
  for (const { 0: bracket, index } of text.matchAll(/[()]/g)) {
    open += bracket === '(' ? 1 : -1;
    if (open === 0) return index;
  }
  return text.length;
}

const offences = (judge: (one: Import) => string | undefined) =>
  imports.map(judge).filter((found) => found !== undefined);

describe('the source', () => {
  test('imports only along the table of rooms', () => {
    expect(imports.length).toBeGreaterThan(0);
    expect(offences(roomOffence)).toEqual([]);
  });

  test('imports only along the tables inside store and view', () => {
    expect(offences(nounOffence)).toEqual([]);
  });

  test('has only the rooms of the table', () => {
    expect(sources.filter((file) => rooms[roomOf(file) ?? ''] === undefined)).toEqual([]);
  });

  test('has a folder for each noun of the tables', () => {
    const folders = (room: string) =>
      new Set(sources.filter((file) => roomOf(file) === room).map(nounOf));
    expect([...folders('store')]).toEqual(
      expect.arrayContaining([...storeGround, ...Object.keys(storeNouns), 'deck']),
    );
    expect([...folders('view')]).toEqual(
      expect.arrayContaining([...viewGround, ...Object.keys(viewNouns), 'shell']),
    );
  });

  test('re-exports nothing, which could get around the tables', () => {
    const reExports = imports.filter(({ isReExport }) => isReExport);
    expect(reExports.map(({ from, to }) => `${from} re-exports ${to}`)).toEqual([]);
  });

  test('has no import cycle, types included', () => {
    expect(cycle(imports)).toBeUndefined();
  });

  test('has no cycle between the nouns of store, nor between those of view', () => {
    for (const room of ['store', 'view']) {
      const edges = imports
        .filter(({ from, to }) => roomOf(from) === room && roomOf(to) === room)
        .map(({ from, to }) => ({ from: nounOf(from) ?? '', to: nounOf(to) ?? '' }))
        .filter(({ from, to }) => from !== to);
      expect(edges.length).toBeGreaterThan(0);
      expect(cycle(edges)).toBeUndefined();
    }
  });

  test('keeps clocks, chance, timers and I/O out of the pure rooms', () => {
    const impure = sources
      .filter((file) => pureRooms.has(roomOf(file) ?? ''))
      .map((file) => ({ file, impurity: impurityOf(textOf(file)) }))
      .filter(({ impurity }) => impurity !== undefined);
    expect(impure).toEqual([]);
  });

  test('loads parts at run time through lazy-part.ts, which has one way of failing', () => {
    const offenders = sources.filter(
      (file) => !entries.test(file) && bareImports(textOf(file)) > 0,
    );
    expect(offenders).toEqual([]);
  });

  test('sets the state of a store only in the file that creates it', () => {
    expect(sources.filter((file) => setsForeignStore(file, textOf(file)))).toEqual([]);
  });
});

describe('the checks', () => {
  const found = (file: string, text: string): (string | undefined)[] =>
    importsOf(file, text).map((one) => roomOffence(one) ?? nounOffence(one));

  test('see every form of import', () => {
    const text = `
import './a.ts';
import type { B } from "./b.ts";
import {
  c, // from './not-this.ts'
} from './c.ts';
export * from '../room/d.ts';
/* import './neither.ts' */
const e = await import('./e.ts');
type F = import('./f.ts').F;
export const g = 'from ./nor-this.ts';
import h from 'package';
`;
    const local = (name: string) => `source/room/${name}.ts`;
    expect(importsOf('source/room/file.ts', text)).toEqual(
      [local('a'), local('b'), local('c'), local('d'), 'package', local('e'), local('f')].map(
        (to) => ({
          from: 'source/room/file.ts',
          to,
          typeOnly: to === local('b'),
          isReExport: to === local('d'),
          isDynamic: to === local('e') || to === local('f'),
        }),
      ),
    );
  });

  test.each([
    ['source/terminal/a.ts', `import type { B } from '../contract/b.ts';`],
    ['source/client/a.ts', `import type { B } from '../store/lists/b.ts';`],
    ['source/store/log/a.ts', `import { b } from '../../client/b.ts';`],
    ['source/view/log/a.tsx', `import { b } from '../../host/b.ts';`],
    ['source/view/log/a.tsx', `import { b } from '../../client/b.ts';`],
    ['source/host/a.ts', `import type { Config } from '../config/environment.ts';`],
    ['source/disk/a.ts', `import type { B } from '../start/b.ts';`],
    ['source/config/a.ts', `import { b } from '../host/b.ts';`],
    ['source/store/log/a.ts', `import { Text } from 'ink';`],
    ['source/commands/a.ts', `import TextInput from 'ink-text-input';`],
    ['source/tail/a.ts', `import { readFile } from 'node:fs/promises';`],
    ['source/editor/a.ts', `import { useState } from 'react';`],
    ['source/store/lists/a.ts', `import { b } from '../log/feed/b.ts';`],
    ['source/store/files/a.ts', `import { b } from '../transfers/b.ts';`],
    ['source/store/log/reader/a.ts', `import type { B } from '../../deck/b.ts';`],
    ['source/view/log/a.ts', `import type { B } from '../shell/b.ts';`],
    ['source/view/parts/a.tsx', `import { b } from '../log/b.ts';`],
    ['source/view/text/a.ts', `import { b } from '../command/b.ts';`],
    ['source/view/files/a.ts', `import { b } from '../grants/b.ts';`],
  ])('refuse in %s: %s', (file, text) => {
    expect(found(file, text)).toEqual([expect.stringContaining(file)]);
  });

  test.each([
    ['source/store/log/a.ts', `import type { B } from '../../client/b.ts';`],
    ['source/view/log/a.tsx', `import { b } from '../../tail/b.ts';`],
    ['source/view/log/a.tsx', `import { Text } from 'ink';`],
    ['source/start/cli.ts', `import { render } from 'ink';`],
    ['source/start/start.ts', `import { host } from '../host/host.ts';`],
    ['source/editor/a.ts', `import { EditorState } from '@codemirror/state';`],
    ['source/store/deck/a.ts', `import { b } from '../log/feed/b.ts';`],
    ['source/store/log/reader/a.ts', `import { b } from '../../time/b.ts';`],
    ['source/store/log/reader/a.ts', `import { b } from '../feed/b.ts';`],
    ['source/view/shell/palette/a.ts', `import { b } from '../../log/b.ts';`],
  ])('allow in %s: %s', (file, text) => {
    expect(found(file, text)).toEqual([undefined]);
  });

  test('see an import at run time without a lazy part', () => {
    expect(bareImports(`const a = lazyPart(() => import('./a.ts'));\n`)).toBe(0);
    expect(bareImports(`const a = earlyPart(() =>\n  Promise.all([import('./a.ts')]),\n);\n`)).toBe(
      0,
    );
    expect(bareImports(`const { b } = await import('./b.ts');\n`)).toBe(1);
    expect(
      bareImports(`const a = lazyPart(() => import('./a.ts'));\nawait import('./b.ts');\n`),
    ).toBe(1);
  });

  test('see a file that sets the state of a store of another', () => {
    const own = `const state = createStore(() => 1); state.setState(2);`;
    expect(setsForeignStore('source/store/files/files.ts', own)).toBe(false);
    expect(setsForeignStore('source/view/files/pane.tsx', own)).toBe(true);
    expect(setsForeignStore('source/store/files/tree.ts', 'list.state.setState({});')).toBe(true);
    expect(setsForeignStore('source/store/deck/deck.ts', `${own} screen.setState({});`)).toBe(true);
    expect(setsForeignStore('source/view/files/pane.tsx', '// screen.setState({})')).toBe(false);
  });

  test('see a cycle through a type', () => {
    const edges = [
      { from: 'a', to: 'b' },
      { from: 'b', to: 'c' },
      { from: 'c', to: 'b' },
    ];
    expect(cycle(edges)).toEqual(['b', 'c', 'b']);
    expect(cycle(edges.slice(0, 2))).toBeUndefined();
  });

  test('see a clock, but not in a comment, nor a date that was handed in', () => {
    expect(impurityOf('const now = Date.now();')).toBe('Date.now');
    expect(impurityOf('const now = new Date();')).toBe('new Date()');
    expect(impurityOf('performance.now()')).toBe('performance.');
    expect(impurityOf(`title: 'fetch logs', client.fetch(id)`)).toBeUndefined();
    expect(impurityOf('// not Date.now()\n/** setTimeout */ Date.parse(text); new Date(0);')).toBe(
      undefined,
    );
  });
});
