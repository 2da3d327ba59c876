import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

interface Import {
  readonly from: string;
  /** The specifier as written, or for local files the path below the root. */
  readonly to: string;
  readonly typeOnly: boolean;
}

type Allowance = 'all' | 'types';

/** Which room may import from which other, and whether more than types. */
const table: Readonly<Record<string, Readonly<Record<string, Allowance>>>> = {
  contract: {},
  terminal: {},
  editor: { contract: 'all' },
  tail: { contract: 'all' },
  client: { contract: 'all' },
  host: { contract: 'all' },
  store: { contract: 'all', tail: 'all', editor: 'all', client: 'types' },
  config: { contract: 'all', store: 'types', host: 'all' },
  disk: { config: 'all', contract: 'all', client: 'all', store: 'all' },
  view: { store: 'all', terminal: 'all', contract: 'all', editor: 'all', tail: 'all' },
  desktop: { terminal: 'all', disk: 'all', view: 'types' },
  commands: {
    client: 'all',
    store: 'all',
    tail: 'all',
    disk: 'all',
    config: 'all',
    contract: 'all',
    terminal: 'all',
    host: 'all',
  },
  start: {
    commands: 'all',
    desktop: 'all',
    view: 'all',
    disk: 'all',
    config: 'all',
    store: 'all',
    tail: 'all',
    client: 'all',
    host: 'all',
    terminal: 'all',
    editor: 'all',
    contract: 'all',
  },
};

/** The folders of the store that all nouns may import. */
const lowNouns = ['drafts', 'history', 'lists', 'prompts', 'time'];

/** The nouns that a noun of the store may import besides; the deck imports all of them. */
const nounTable: Readonly<Record<string, readonly string[]>> = {
  deployments: lowNouns,
  drafts: ['time'],
  editor: lowNouns,
  files: lowNouns,
  grants: [...lowNouns, 'deployments'],
  history: ['prompts', 'time'],
  lists: ['time'],
  log: [...lowNouns, 'deployments', 'restarts', 'transfers'],
  prompts: [],
  restarts: [...lowNouns, 'deployments'],
  time: [],
  transfers: [...lowNouns, 'files'],
};

const pureRooms = new Set(['contract', 'tail', 'editor']);

/** What would make a pure room depend on anything but its arguments. */
const impurities = new RegExp(
  [
    String.raw`\b(?:Date\.now|Math\.random|setTimeout|setInterval|setImmediate|queueMicrotask)\b`,
    String.raw`\bnew Date\(\)`,
    String.raw`(?<![.\w])(?:performance|process|crypto|console|globalThis)\.`,
    String.raw`(?<![.\w])fetch\(`,
  ].join('|'),
);

const impureImports = /^(?:node:|react|ink|zustand|undici|ws|fastify|meow)/;

const vagueNames = new Set(['utils', 'helpers', 'common', 'types', 'index']);

/** Folders of a developer's machine, spelled so that this file does not name them. */
const machineFolders = ['work', 'root', 'home'].map((folder) => `/${folder}/`);

function filesBelow(folder: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .sort();
}

function textOf(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[^]*?\*\//g, '').replaceAll(/(^|\s)\/\/.*$/gm, '$1');
}

/** All imports of a file: static ones and re-exports begin a line, dynamic ones stand anywhere. */
function importsOf(file: string, text: string): Import[] {
  const code = withoutComments(text);
  const statements = [
    ...code.matchAll(/^(import|export)( type)?\b(?:[^;'"]*?\bfrom)?\s*['"]([^'"]+)['"]/gm),
  ].map(([, , type, to = '']) => ({ to, typeOnly: type !== undefined }));
  const dynamic = [...code.matchAll(/\bimport\(\s*['"]([^'"]+)['"]/g)].map(([, to = '']) => ({
    to,
    typeOnly: false,
  }));
  return [...statements, ...dynamic].map(({ to, typeOnly }) => ({
    from: file,
    to: to.startsWith('.') ? path.join(path.dirname(file), to) : to,
    typeOnly,
  }));
}

/** The folder of a file below source/; undefined for its top level: cli, start and config. */
function roomOf(file: string): string | undefined {
  const [, room, ...inside] = file.split('/');
  return inside.length > 0 ? room : undefined;
}

/** Why an import breaks the table; undefined where it does not. */
function offence({ from, to, typeOnly }: Import): string | undefined {
  const room = roomOf(from);
  if (!to.startsWith('source/')) {
    const isInk = /^ink(?:-|$)/.test(to);
    if (isInk && room !== 'view' && from !== 'source/start/cli.ts') return `${from} imports ${to}`;
    const isImpure = room !== undefined && pureRooms.has(room) && impureImports.test(to);
    return isImpure ? `${from} is pure, but imports ${to}` : undefined;
  }
  const target = roomOf(to);
  if (room === undefined || room === target) return undefined;
  const allowance = target === undefined ? undefined : table[room]?.[target];
  if (allowance === undefined) return `${from} imports ${to}`;
  return allowance === 'types' && !typeOnly
    ? `${from} imports more than types of ${to}`
    : undefined;
}

/** The noun of a file below source/store/; undefined elsewhere. */
function nounOf(file: string): string | undefined {
  const [, room, noun, ...inside] = file.split('/');
  return room === 'store' && inside.length > 0 ? noun : undefined;
}

/** Why an import inside the store breaks the table of its nouns. */
function storeOffence({ from, to }: Import): string | undefined {
  const [noun, target] = [nounOf(from), nounOf(to)];
  if (noun === undefined || target === undefined || noun === target || noun === 'deck') {
    return undefined;
  }
  return nounTable[noun]?.includes(target) === true ? undefined : `${from} imports ${to}`;
}

/** Whether a file sets the state of a store that another file creates. */
function setsForeignStore(file: string, text: string): boolean {
  const code = withoutComments(text);
  if (!/\bsetState\(/.test(code)) return false;
  const isForeign = !/\bcreateStore\b/.test(code);
  return isForeign || nounOf(file) === undefined || /\bscreen\.setState\(/.test(code);
}

/** The files of one import cycle, in order; undefined where there is none. */
function cycle(imports: readonly Import[]): string[] | undefined {
  const targets = new Map<string, string[]>();
  for (const { from, to } of imports) targets.set(from, [...(targets.get(from) ?? []), to]);
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

function isWellNamed(file: string): boolean {
  const [name = ''] = path.basename(file).split('.');
  return /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name) && !vagueNames.has(name);
}

const sources = filesBelow('source').filter((file) => /\.tsx?$/.test(file));
const tests = filesBelow('test');
const imports = sources.flatMap((file) => importsOf(file, textOf(file)));

describe('the source', () => {
  test('imports only along the table', () => {
    expect(imports.length).toBeGreaterThan(0);
    expect(imports.map(offence).filter((found) => found !== undefined)).toEqual([]);
  });

  test('has only rooms of the table', () => {
    const rooms = new Set(sources.map(roomOf).filter((room) => room !== undefined));
    expect([...rooms].filter((room) => table[room] === undefined)).toEqual([]);
  });

  test('has no import cycle, types included', () => {
    expect(cycle(imports)).toBeUndefined();
  });

  test('keeps clocks, chance, timers and I/O out of the pure rooms', () => {
    const impure = sources
      .filter((file) => pureRooms.has(roomOf(file) ?? ''))
      .map((file) => ({ file, impurity: impurityOf(textOf(file)) }))
      .filter(({ impurity }) => impurity !== undefined);
    expect(impure).toEqual([]);
  });

  test('changes a store only in the file that creates it', () => {
    expect(sources.filter((file) => setsForeignStore(file, textOf(file)))).toEqual([]);
  });

  test('imports inside the store only along its table', () => {
    expect(imports.map(storeOffence).filter((found) => found !== undefined)).toEqual([]);
  });

  test('exports by name only', () => {
    const byDefault = /^export default\b|\bas default\b/m;
    expect(sources.filter((file) => byDefault.test(withoutComments(textOf(file))))).toEqual([]);
  });

  test('has file names that say something', () => {
    expect([...sources, ...tests].filter((file) => !isWellNamed(file))).toEqual([]);
  });

  test('names no folder of a developer’s machine', () => {
    const found = [...sources, ...tests, ...filesBelow('.config')].filter((file) =>
      machineFolders.some((folder) => textOf(file).includes(folder)),
    );
    expect(found).toEqual([]);
  });

  test('has files of a readable size', () => {
    const sizes = sources
      .map((file) => ({ file, lines: textOf(file).split('\n').length - 1 }))
      .sort((a, b) => b.lines - a.lines);
    const median = sizes[Math.floor(sizes.length / 2)]?.lines ?? 0;
    const largest = sizes.slice(0, 10).map(({ file, lines }) => `${lines} ${file}`);
    console.log(['Largest files, in lines:', ...largest, `median ${median}`].join('\n  '));
    expect(median).toBeLessThan(150);
  });
});

describe('the checks', () => {
  const found = (file: string, text: string): (string | undefined)[] =>
    importsOf(file, text).map(offence);

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
    expect(importsOf('source/room/file.ts', text)).toEqual(
      ['a', 'b', 'c', 'd']
        .map((name) => ({
          from: 'source/room/file.ts',
          to: `source/room/${name}.ts`,
          typeOnly: name === 'b',
        }))
        .concat(
          { from: 'source/room/file.ts', to: 'package', typeOnly: false },
          { from: 'source/room/file.ts', to: 'source/room/e.ts', typeOnly: false },
          { from: 'source/room/file.ts', to: 'source/room/f.ts', typeOnly: false },
        ),
    );
  });

  test.each([
    ['source/terminal/a.ts', `import type { B } from '../contract/b.ts';`],
    ['source/client/a.ts', `import type { B } from '../store/b.ts';`],
    ['source/store/a.ts', `import { b } from '../client/b.ts';`],
    ['source/view/log/a.tsx', `import { b } from '../../host/b.ts';`],
    ['source/host/a.ts', `import type { Config } from '../config/config.ts';`],
    ['source/store/a.ts', `import { Text } from 'ink';`],
    ['source/start/start.ts', `import TextInput from 'ink-text-input';`],
    ['source/tail/a.ts', `import { readFile } from 'node:fs/promises';`],
    ['source/editor/a.ts', `import { useState } from 'react';`],
  ])('refuse in %s: %s', (file, text) => {
    expect(found(file, text)).toEqual([expect.stringContaining(file)]);
  });

  test.each([
    ['source/store/a.ts', `import type { B } from '../client/b.ts';`],
    ['source/view/log/a.tsx', `import type { B } from '../../tail/b.ts';`],
    ['source/view/log/a.tsx', `import { Text } from 'ink';`],
    ['source/start/cli.ts', `import { render } from 'ink';`],
    ['source/start/start.ts', `import { host } from './host/host.ts';`],
    ['source/editor/a.ts', `import { EditorState } from '@codemirror/state';`],
  ])('allow in %s: %s', (file, text) => {
    expect(found(file, text)).toEqual([undefined]);
  });

  test.each([
    ['source/store/log/reader/time-jump.ts', '../../deck/opened.ts'],
    ['source/store/lists/listing.ts', '../files/tree.ts'],
    ['source/store/deployments/batch.ts', '../restarts/restarts.ts'],
  ])('refuse in %s an import of %s', (file, to) => {
    const all = importsOf(file, `import type { A } from '${to}';`);
    expect(all.map(storeOffence)).toEqual([expect.stringContaining(file)]);
  });

  test('allow the deck every noun, and a noun those below it', () => {
    const all = [
      ...importsOf('source/store/deck/deck.ts', `import { a } from '../log/tail.ts';`),
      ...importsOf('source/store/transfers/uploads.ts', `import { a } from '../files/tree.ts';`),
    ];
    expect(all.map(storeOffence)).toEqual([undefined, undefined]);
  });

  test('see who sets the state of a store of another file', () => {
    const own = `const state = createStore(() => 1); state.setState(2);`;
    expect(setsForeignStore('source/store/files/files.ts', own)).toBe(false);
    expect(setsForeignStore('source/view/files/pane.tsx', own)).toBe(true);
    expect(setsForeignStore('source/store/files/tree.ts', 'list.state.setState({});')).toBe(true);
    expect(setsForeignStore('source/store/deck/deck.ts', `${own} screen.setState({});`)).toBe(true);
    expect(setsForeignStore('source/view/files/pane.tsx', '// screen.setState({})')).toBe(false);
  });

  test('see a cycle through a type', () => {
    const edges = [
      { from: 'a', to: 'b', typeOnly: false },
      { from: 'b', to: 'c', typeOnly: true },
      { from: 'c', to: 'b', typeOnly: false },
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

  test('want names in kebab-case that name a thing', () => {
    expect(isWellNamed('source/store/files/tree.ts')).toBe(true);
    expect(isWellNamed('source/store/fileTree.ts')).toBe(false);
    expect(isWellNamed('source/store/utils.ts')).toBe(false);
  });
});
