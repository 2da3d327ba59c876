import { createHash } from 'node:crypto';
import type { callHost, CallOptions } from '../host/support/temporary-host.ts';
import { uploadOf } from '../host/support/upload-bytes.ts';
import { judgeTree, type Tree } from './host-judge.ts';
import type { ActionKind, FileAction } from './host-plan.ts';
import { pathCount } from './host-plan.ts';

type Operation = Parameters<typeof callHost>[2];

/** The connection of a client to the current host. */
export interface Line {
  /** Throws where no answer comes. */
  call(operation: Operation, options?: CallOptions): ReturnType<typeof callHost>;
  /** A request of this kind is about to be sent. */
  onSend(kind: ActionKind): void;
  /** Takes what no host should do, whatever is killed. */
  onBroken(sentence: string): void;
  isOver(): boolean;
  /** A request was refused for want of disk space. */
  onRefused(): void;
  /** Returns true when a request sent at this time may have been refused for want of disk space. */
  mayLackSpace(since: number): boolean;
}

/** Status of a request that was refused for want of disk space, and so has changed nothing. */
const noSpace = 507;

/** Returns true for such a refusal where there may have been too little space. */
export function isRefused(
  line: Pick<Line, 'mayLackSpace'>,
  status: number,
  since: number,
): boolean {
  return status === noSpace && line.mayLackSpace(since);
}

/** Files read at a time. */
const atOnce = 8;

/** Some are folders of others, so that they cannot be there together. */
const paths = Array.from({ length: pathCount }, (_, index) => {
  if (index % 10 === 3) return `d${index % 4}`;
  if (index % 10 === 7) return `d${index % 4}/e`;
  return `d${index % 4}/e/f${index % 3}/${index}.txt`;
});

let contents = 0;

/** A content that no other file has. */
function content(size: number): string {
  contents += 1;
  return size === 0 ? '' : `${contents}: ${'x'.repeat(size)}\n`;
}

function fits(tree: Tree, path: string): boolean {
  return [...tree.keys()].every(
    (other) => !other.startsWith(`${path}/`) && !path.startsWith(`${other}/`),
  );
}

/** Returns the hash of a tree as the service itself computes and prints it. */
function treeHash(tree: Tree): string {
  const hash = createHash('sha256');
  for (const path of [...tree.keys()].sort()) hash.update(`${path}\0${tree.get(path)}\0`);
  return hash.digest('hex');
}

/** A service that says the hash of its files and its process id, and then waits. */
export const treeTeller = `
  const fs = require('node:fs'), path = require('node:path');
  const files = fs.readdirSync('.', { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name)).sort();
  const hash = require('node:crypto').createHash('sha256');
  for (const file of files) hash.update(file + '\\0' + fs.readFileSync(file, 'utf8') + '\\0');
  console.log('tree', hash.digest('hex'), process.env.HOSTDECK_RUN);
  setInterval(() => {}, 1e6);`;

/** Someone who changes the files of one service, one request after the other. */
export class FileClient {
  readonly #id: string;
  readonly #service: string;
  /** The tree after all answered requests. */
  #tree: Tree = new Map();
  /** The tree that may exist instead, since a request was sent and not answered. */
  #unanswered: Tree | undefined;
  /** The tree that runs after the answered restarts, and the one that may run instead. */
  #running: Tree = new Map();
  #unansweredRunning: Tree | undefined;
  /** Receive each tree that may exist from now on. */
  readonly #observers = new Set<(tree: Tree) => void>();

  constructor(id: string, service: string) {
    this.#id = id;
    this.#service = service;
  }

  /** Hashes of the trees that may run. */
  get running(): readonly string[] {
    return [this.#running, this.#unansweredRunning].flatMap((tree) =>
      tree === undefined ? [] : [treeHash(tree)],
    );
  }

  async act(action: FileAction, line: Line): Promise<void> {
    const request = this.#request(action);
    if (request === undefined) return;
    const { operation, options, next } = request;
    if (action.kind === 'restart') this.#unansweredRunning = this.#tree;
    else {
      this.#unanswered = next;
      for (const observe of this.#observers) observe(next);
    }
    line.onSend(action.kind);
    const since = performance.now();
    const { status, body } = await line.call(operation, { id: this.#id, ...options });
    const grows = action.kind !== 'delete' && action.kind !== 'restart';
    if (grows && isRefused(line, status, since)) {
      line.onRefused();
    } else if (status >= 300) {
      line.onBroken(`${action.kind} was answered ${status} ${JSON.stringify(body)}`);
    } else if (action.kind === 'restart') {
      this.#running = this.#tree;
    } else {
      this.#tree = next;
    }
    this.#unanswered = undefined;
    this.#unansweredRunning = undefined;
  }

  /** Collects the trees that may exist from now until `stop` is called. */
  observe(): { readonly trees: readonly [Tree, ...Tree[]]; readonly stop: () => void } {
    const trees: [Tree, ...Tree[]] = [this.#tree];
    if (this.#unanswered !== undefined) trees.push(this.#unanswered);
    const observe = (tree: Tree) => trees.push(tree);
    this.#observers.add(observe);
    return { trees, stop: () => this.#observers.delete(observe) };
  }

  /** Reads all that is there and goes on from that. */
  async check(line: Line): Promise<void> {
    const found = await this.#read(line);
    const possible = this.#unanswered === undefined ? [] : [this.#unanswered];
    const what = `the files of ${this.#service}`;
    const { tree, broken } = judgeTree(what, [this.#tree, ...possible], found);
    for (const sentence of broken) line.onBroken(sentence);
    this.#tree = tree ?? found;
    this.#unanswered = undefined;
  }

  /** The service has said this hash of what it runs in. */
  told(hash: string): void {
    if (this.#unansweredRunning !== undefined && hash === treeHash(this.#unansweredRunning)) {
      this.#running = this.#unansweredRunning;
    }
    this.#unansweredRunning = undefined;
  }

  #request(
    action: FileAction,
  ): { operation: Operation; options: CallOptions; next: Tree } | undefined {
    const next = new Map(this.#tree);
    const name = this.#service;
    const there = [...this.#tree.keys()];
    switch (action.kind) {
      case 'put': {
        const path = paths[action.path] ?? '';
        if (!fits(next, path)) return undefined;
        const text = content(action.size);
        next.set(path, text);
        return { operation: 'updateFile', options: { name, path, json: { content: text } }, next };
      }
      case 'upload': {
        const files: Record<string, string> = {};
        for (let part = 0; part < action.parts; part += 1) {
          const path = paths[(action.path + part) % pathCount] ?? '';
          if (!fits(next, path)) continue;
          files[path] = content(action.size);
          next.set(path, files[path]);
        }
        if (Object.keys(files).length === 0) return undefined;
        return { operation: 'uploadFiles', options: { name, ...uploadOf(files) }, next };
      }
      case 'rename': {
        const oldPath = there[action.from % there.length];
        const newPath = paths[action.to] ?? '';
        if (oldPath === undefined || next.has(newPath) || !fits(next, newPath)) return undefined;
        next.set(newPath, next.get(oldPath) ?? '');
        next.delete(oldPath);
        return { operation: 'renameFile', options: { name, json: { oldPath, newPath } }, next };
      }
      case 'delete': {
        const path = there[action.at % there.length];
        if (path === undefined) return undefined;
        next.delete(path);
        return { operation: 'deleteFile', options: { name, path }, next };
      }
      case 'restart':
        return { operation: 'restartDeployment', options: {}, next };
    }
  }

  async #read(line: Line): Promise<Tree> {
    const place = { id: this.#id, name: this.#service };
    const { status, body } = await line.call('listFiles', place);
    if (status !== 200) throw new Error(`list files was answered ${status}`);
    const { files } = body as { readonly files: readonly { path: string; size: number }[] };
    const tree = new Map<string, string>();
    const rest = files.values();
    const readers = Array.from({ length: atOnce }, async () => {
      for (const { path, size } of rest) {
        const answer = await line.call('getFile', { ...place, path });
        const { file } = answer.body as { readonly file: { readonly content: string } };
        if (file.content.length !== size) line.onBroken(`${path} is not as long as it is listed`);
        tree.set(path, file.content);
      }
    });
    await Promise.all(readers);
    return tree;
  }
}
