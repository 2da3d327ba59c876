import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  constants,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import path from 'node:path';
import type { Home } from './harness-home.ts';
import { runLine } from './run-line.ts';

const program = path.resolve(import.meta.dirname, '../../dist/cli.js');

/** Makes a folder for a PATH whose `hostdeck` is the built program. */
export function programFolder(home: Home): string {
  return folderWith(home, 'bin', `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`);
}

/**
 * A folder for a PATH whose `hostdeck` has its command run in this process, by the arguments, the
 * environment, the folder and the files of the script that was called. What writes until it is ended, what
 * is no text, and what needs a terminal or another program goes to the built one.
 */
export class ShellCommands implements AsyncDisposable {
  readonly folder: string;
  readonly #home: Home;
  readonly #server: Server;

  private constructor(home: Home, server: Server) {
    this.#home = home;
    this.#server = server;
    const { port } = server.address() as AddressInfo;
    const script = [
      '#!/bin/bash',
      'case " $* " in',
      '  *" --no-follow "* | *" --once "*) ;;',
      `  "  " | " logs "* | " watch "* | " host "* | " open "* | *" edit "* | *" --watch "* | " --"* | *.gz*)`,
      `    exec '${process.execPath}' '${program}' "$@" ;;`,
      'esac',
      `exec 9<>/dev/tcp/127.0.0.1/${port} || exit 99`,
      // Its own files stay as they are: a redirection of a builtin would change them for a moment.
      '(echo $$ >&9)',
      'read -r -u 9 code',
      'exit "$code"',
    ];
    this.folder = folderWith(home, 'quick', `${script.join('\n')}\n`);
    server.on('connection', (socket) => void this.#answer(socket));
  }

  static async start(home: Home): Promise<ShellCommands> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ShellCommands(home, server);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    await once(this.#server, 'close');
  }

  async #answer(socket: Socket): Promise<void> {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    const caller = `/proc/${chunk.toString().trim()}`;
    const code = await this.#run(caller).catch((error: unknown) => {
      write(`${caller}/fd/2`, `${String(error)}\n`);
      return 99;
    });
    socket.end(`${code}\n`);
  }

  /** Runs the command line of a process that waits for its exit code. */
  async #run(caller: string): Promise<number | null> {
    const textsOf = (name: string) => readFileSync(`${caller}/${name}`, 'utf8').split('\0');
    const words = textsOf('cmdline').slice(2, -1);
    const variables = textsOf('environ').filter((each) => each.includes('='));
    const env = Object.fromEntries(variables.map((each) => each.split(/=(.*)/s).slice(0, 2)));
    const cwd = readlinkSync(`${caller}/cwd`);
    const isTyped = readlinkSync(`${caller}/fd/0`).startsWith('/dev/pts/');
    const reads = words.includes('-') && !isTyped;
    const input = reads ? await readFile(`${caller}/fd/0`, 'utf8') : '';
    const { stdout, stderr, code } = await runLine(words, { home: this.#home, env, cwd, input });
    write(`${caller}/fd/1`, stdout);
    write(`${caller}/fd/2`, stderr);
    return code;
  }
}

function folderWith(home: Home, name: string, script: string): string {
  const folder = path.join(home.folder, name);
  mkdirSync(folder);
  const file = path.join(folder, 'hostdeck');
  writeFileSync(file, script);
  chmodSync(file, 0o755);
  return folder;
}

/** Writes to a file of another process. */
function write(file: string, text: string): void {
  if (text === '') return;
  const fd = openSync(file, constants.O_WRONLY | constants.O_APPEND);
  try {
    writeSync(fd, text);
  } finally {
    closeSync(fd);
  }
}
