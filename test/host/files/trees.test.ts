import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { describe, expect, it, onTestFinished } from 'vitest';
import { copyTree } from '../../../source/host/files/disk.ts';
import { Files } from '../../../source/host/files/files.ts';
import { Folder } from '../../../source/host/files/folder.ts';
import { listTree } from '../../../source/host/files/tree.ts';
import { changeTreeOwner } from '../../../source/host/files/tree-walk.ts';
import { removeTree } from '../../../source/host/files/tree-removal.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const isRoot = process.geteuid?.() === 0;
if (!isRoot) console.error('Tests that need another user are SKIPPED: this one is not root.');

const worker = fileURLToPath(new URL('tree-worker.ts', import.meta.url));
const meddler = fileURLToPath(new URL('tree-meddler.ts', import.meta.url));

/** Options of an ordinary user when the tests run as root. */
const ordinary = isRoot
  ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', '--bounding-set=-all']
  : [];

/**
 * Creates a thousand nested folders with some files. With names of four letters, they are deeper than the longest
 * path.
 */
function nest(folder: string, name: string): void {
  const program = `for (let n = 0; n < 2; n++) {
    require('fs').mkdirSync('${name}/'.repeat(500), { recursive: true });
    process.chdir('${name}/'.repeat(500));
    require('fs').writeFileSync('file', '');
  }`;
  execFileSync(process.execPath, ['-e', program], { cwd: folder });
}

/**
 * Returns the command line of the worker for an ordinary user. The user may have access neither to
 * the repository nor to Node's folder, so both are copied.
 */
function ordinaryWorker(): readonly [string, ...string[]] {
  const folder = temporaryFolder();
  chmodSync(folder, 0o755);
  const [node, outfile] = [path.join(folder, 'node'), path.join(folder, 'worker.mjs')];
  copyFileSync(process.execPath, node);
  buildSync({ entryPoints: [worker], bundle: true, platform: 'node', format: 'esm', outfile });
  const [first, ...rest] = [...ordinary, node, outfile];
  return [first, ...rest];
}

function work(argv: readonly string[], through: readonly string[] = []): void {
  const [first = '', ...rest] = [...through, process.execPath, worker, ...argv];
  execFileSync(first, rest, { stdio: ['ignore', 'ignore', 'inherit'] });
}

const fewFiles = ['sh', '-c', 'ulimit -n 64; exec "$@"', 'sh'];

function treeIn(folder: string): string {
  const tree = path.join(folder, 'tree');
  mkdirSync(tree);
  return tree;
}

async function opened(folder: string): Promise<Folder> {
  const parent = await Folder.open(folder);
  if (!(parent instanceof Folder)) throw new Error('no folder');
  onTestFinished(() => parent.close());
  return parent;
}

/** Bytes that are not valid UTF-8. */
const odd = (folder: string, ...bytes: readonly number[]) =>
  Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0xff, ...bytes])]);

describe('removing a tree', () => {
  it('removes files, links themselves, FIFOs, sockets and names with any bytes', async () => {
    const folder = temporaryFolder();
    const tree = treeIn(folder);
    mkdirSync(path.join(folder, 'outside'));
    writeFileSync(path.join(folder, 'outside/canary'), 'x');
    mkdirSync(path.join(tree, 'a/b'), { recursive: true });
    for (const place of [tree, path.join(tree, 'a'), path.join(tree, 'a/b')]) {
      writeFileSync(path.join(place, 'file'), 'x');
      symlinkSync('../../outside', path.join(place, 'up'));
      symlinkSync(path.join(folder, 'outside'), path.join(place, 'there'));
      symlinkSync('nowhere', path.join(place, 'nowhere'));
      linkSync(path.join(folder, 'outside/canary'), path.join(place, 'second name'));
      execFileSync('mkfifo', [path.join(place, 'fifo')]);
      writeFileSync(odd(place, 0xfe), 'x');
      mkdirSync(odd(place, 0xfd));
      mkdirSync(Buffer.concat([odd(place, 0xfd), odd('')]));
    }
    const server = createServer().listen(path.join(tree, 'socket'));
    await once(server, 'listening');
    await removeTree(await opened(folder), 'tree');
    server.close();
    expect(readdirSync(folder)).toEqual(['outside']);
    expect(readFileSync(path.join(folder, 'outside/canary'), 'utf8')).toBe('x');
  });

  it('accepts a file, a link and a missing name', async () => {
    const folder = temporaryFolder();
    writeFileSync(path.join(folder, 'file'), '');
    mkdirSync(path.join(folder, 'kept'));
    symlinkSync('kept', path.join(folder, 'link'));
    const parent = await opened(folder);
    for (const name of ['file', 'link', 'nothing']) await removeTree(parent, name);
    expect(readdirSync(folder)).toEqual(['kept']);
  });

  it('with 1,000 nested folders, deeper than the longest path, needs few open files', () => {
    const folder = temporaryFolder();
    nest(treeIn(folder), 'deep');
    work(['remove', folder, 'tree'], fewFiles);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('with 1,000 sibling folders needs few open files', () => {
    const folder = temporaryFolder();
    const tree = treeIn(folder);
    for (let n = 0; n < 1000; n += 1)
      mkdirSync(path.join(tree, `${n % 50}`, `${n}`), { recursive: true });
    work(['remove', folder, 'tree'], fewFiles);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('removes folders that their owner, an ordinary user, can neither read nor write', () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o777);
    const program = `
      mkdir -p tree/a/b/c tree/none tree/listed/x tree/entered/x/y && touch tree/a/b/c/file tree/entered/x/f
      chmod 500 tree/entered/x/y tree/entered/x && chmod 300 tree/entered
      chmod 400 tree/listed && chmod 0 tree/none tree/a/b/c tree/a/b tree/a && chmod 0 tree`;
    const [first, ...rest] = [...ordinary, 'sh', '-c', program];
    execFileSync(first, rest, { cwd: folder });
    chmodSync(folder, 0o777);
    const [command, ...args] = ordinaryWorker();
    execFileSync(command, [...args, 'remove', folder, 'tree']);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.skipIf(!isRoot)("of another user throws the system's error", () => {
    const folder = temporaryFolder();
    const tree = treeIn(folder);
    writeFileSync(path.join(tree, 'file'), '');
    chmodSync(folder, 0o755);
    const [command, ...args] = ordinaryWorker();
    expect(() => {
      execFileSync(command, [...args, 'remove', folder, 'tree'], { stdio: 'pipe' });
    }).toThrow(/EACCES|EPERM/);
    expect(existsSync(path.join(tree, 'file'))).toBe(true);
  });
});

describe('while another process swaps folders for links', () => {
  /** Repeats a round until another process has swapped folders `swaps` times. */
  async function whileSwapping(
    swaps: number,
    round: (folder: string) => Promise<void>,
  ): Promise<string> {
    const folder = temporaryFolder();
    const outside = path.join(folder, 'outside');
    mkdirSync(path.join(outside, 'b/c'), { recursive: true });
    for (const place of ['', 'b', 'b/c']) writeFileSync(path.join(outside, place, 'canary'), 'x');
    const tree = treeIn(folder);
    const child = spawn(process.execPath, [meddler, tree, outside], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const done = new AbortController();
    const lines = createInterface(child.stdout).on('line', (line) => {
      if (Number(line) >= swaps) done.abort();
    });
    try {
      await once(lines, 'line');
      while (!done.signal.aborted) await round(folder);
    } finally {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    }
    for (const place of ['', 'b', 'b/c']) {
      expect(lstatSync(path.join(outside, place, 'canary')).isFile()).toBe(true);
    }
    return folder;
  }

  it('a removal removes nothing outside', async () => {
    const folder = await whileSwapping(600, async (place) => {
      const parent = await Folder.open(place);
      if (!(parent instanceof Folder)) throw new Error('no folder');
      await using _ = parent;
      // Removal fails in the end when the tree is refilled each time.
      await removeTree(parent, 'tree').catch((error: unknown) => {
        expect(String(error)).toContain('ENOTEMPTY');
      });
      mkdirSync(path.join(place, 'tree'), { recursive: true });
    });
    await removeTree(await opened(folder), 'tree');
    expect(readdirSync(folder)).toEqual(['outside']);
  });

  it.skipIf(!isRoot)('a change of owner changes nothing outside', async () => {
    const folder = await whileSwapping(600, async (place) => {
      const parent = await Folder.open(place);
      if (!(parent instanceof Folder)) throw new Error('no folder');
      await using _ = parent;
      // The change fails when a folder was moved meanwhile.
      await changeTreeOwner(parent, 'tree', 65_534, 65_534).catch((error: unknown) => {
        expect(String(error)).toContain('moved a folder');
      });
    });
    const places = ['outside', 'outside/canary', 'outside/b', 'outside/b/canary', 'outside/b/c'];
    expect(places.map((place) => lstatSync(path.join(folder, place)).uid)).toEqual([0, 0, 0, 0, 0]);
  });
});

describe.skipIf(!isRoot)('changing the owner of a tree', () => {
  it('changes all entries, links themselves included, and no file with other hard links', async () => {
    const folder = temporaryFolder();
    const tree = treeIn(folder);
    mkdirSync(path.join(tree, 'a/b'), { recursive: true });
    writeFileSync(path.join(tree, 'a/file'), 'x');
    writeFileSync(path.join(folder, 'outside'), 'x');
    symlinkSync(path.join(folder, 'outside'), path.join(tree, 'a/b/link'));
    linkSync(path.join(folder, 'outside'), path.join(tree, 'second name'));
    writeFileSync(odd(tree), 'x');
    execFileSync('mkfifo', [path.join(tree, 'fifo')]);
    await changeTreeOwner(await opened(folder), 'tree', 1234, 4321);
    const ownerOf = (name: string | Buffer) => {
      const { uid, gid } = lstatSync(typeof name === 'string' ? path.join(folder, name) : name);
      return [uid, gid];
    };
    const own = [
      'tree',
      'tree/a',
      'tree/a/b',
      'tree/a/b/link',
      'tree/a/file',
      'tree/fifo',
      odd(tree),
    ];
    expect(own.map(ownerOf)).toEqual(own.map(() => [1234, 4321]));
    expect([ownerOf('outside'), ownerOf('tree/second name')]).toEqual([
      [0, 0],
      [0, 0],
    ]);
  });

  it('with 1,000 nested folders needs few open files', () => {
    const folder = temporaryFolder();
    const tree = treeIn(folder);
    nest(tree, 'd');
    work(['own', folder, 'tree', '1234', '4321'], fewFiles);
    const others = execFileSync('find', [tree, '!', '-uid', '1234']).toString();
    expect(others).toBe('');
    expect(lstatSync(tree).gid).toBe(4321);
    work(['remove', folder, 'tree']);
  });
});

it('a copy of a tree has files and folders with names of any bytes', async () => {
  const folder = temporaryFolder();
  const tree = treeIn(folder);
  mkdirSync(odd(tree, 0xfd));
  writeFileSync(Buffer.concat([odd(tree, 0xfd), odd('')]), 'content');
  writeFileSync(odd(tree, 0xfe), 'x');
  mkdirSync(path.join(folder, 'copy'));
  await copyTree(await opened(tree), await opened(path.join(folder, 'copy')));
  const copy = path.join(folder, 'copy');
  expect(readdirSync(copy)).toHaveLength(2);
  expect(readFileSync(Buffer.concat([odd(copy, 0xfd), odd('')]), 'utf8')).toBe('content');
});

it('a copy and a list of a tree skip entries deeper than the longest path', async () => {
  const folder = temporaryFolder();
  const tree = treeIn(folder);
  nest(tree, 'd');
  mkdirSync(path.join(tree, 'd/'.repeat(126)), { recursive: true });
  writeFileSync(path.join(tree, 'd/'.repeat(127), 'deepest'), 'x');
  writeFileSync(path.join(tree, 'd/'.repeat(128), 'too deep'), 'x');
  mkdirSync(path.join(folder, 'copy/web'), { recursive: true });
  await copyTree(await opened(tree), await opened(path.join(folder, 'copy/web')));
  const names: string[] = [];
  for await (const files of listTree(tree)) names.push(...files.map((file) => file.path));
  expect(names).toEqual([`${'d/'.repeat(127)}deepest`]);
  expect(existsSync(path.join(folder, 'copy/web', 'd/'.repeat(127), 'deepest'))).toBe(true);
  expect(existsSync(path.join(folder, 'copy/web', 'd/'.repeat(130)))).toBe(false);
  await removeTree(await opened(folder), 'tree');
});

it('a list does not follow a link that has replaced a folder since its parent was read', async () => {
  const folder = temporaryFolder();
  const tree = treeIn(folder);
  writeFileSync(path.join(tree, 'a'), 'x');
  mkdirSync(path.join(tree, 'b'));
  mkdirSync(path.join(folder, 'outside'));
  writeFileSync(path.join(folder, 'outside/secret'), 'x');
  const names: string[] = [];
  for await (const files of listTree(tree)) {
    names.push(...files.map((file) => file.path));
    rmdirSync(path.join(tree, 'b'));
    symlinkSync(path.join(folder, 'outside'), path.join(tree, 'b'));
  }
  expect(names).toEqual(['a']);
});

it("removes nothing behind a service's link in place of a folder of the host", async () => {
  const folder = temporaryFolder();
  const files = new Files(folder);
  await files.create('d', ['web'], [{ service: 'web', path: 'a', content: 'x' }]);
  const outside = path.join(folder, 'outside');
  mkdirSync(path.join(outside, '1/web'), { recursive: true });
  writeFileSync(path.join(outside, '1/web/canary'), 'x');
  const own = path.join(folder, 'deployments/d');
  for (const name of ['runs', 'arriving']) {
    await removeTree(await opened(own), name);
    symlinkSync(outside, path.join(own, name));
  }
  await files.removeGenerationsBefore('d', 5);
  await files.removeGeneration('d', 1);
  await files.recover('d', undefined);
  await files.remove('d');
  expect(readdirSync(path.join(folder, 'deployments'))).toEqual([]);
  expect(readFileSync(path.join(outside, '1/web/canary'), 'utf8')).toBe('x');
});
