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
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { ReadStream } from 'node:tty';
import type { AskingTerminal } from '../../source/commands/confirm/confirm.ts';
import { exitCodes } from '../../source/commands/exit-codes.ts';
import type { Home } from './harness-home.ts';
import { runLineInto } from './run-line.ts';

const program = path.resolve(import.meta.dirname, '../../dist/cli.js');

/**
 * A folder for a PATH whose `hostdeck` has its command run in this process, by the arguments, the
 * environment, the folder and the files of the script that was called, until the script is ended. What
 * draws on the terminal, runs a host or starts an editor goes to the built program.
 */
export class ShellCommands implements AsyncDisposable {
  readonly folder: string;
  readonly #home: Home;
  readonly #server: Server;
  readonly #answers = new Set<Promise<void>>();

  private constructor(home: Home, server: Server) {
    this.#home = home;
    this.#server = server;
    const { port } = server.address() as AddressInfo;
    const script = [
      '#!/bin/bash',
      `program() { exec '${process.execPath}' '${program}' "$@"; }`,
      'case " $* " in',
      '  *" --no-follow "* | *" --plain "*) ;;',
      '  " logs "*) [ -t 1 ] && program "$@" ;;',
      '  "  " | " host "* | " open "* | *" edit "* | " --"*) program "$@" ;;',
      'esac',
      `exec 9<>/dev/tcp/127.0.0.1/${port} || exit 99`,
      // Its own files stay as they are: a redirection of a builtin would change them for a moment.
      '(echo $$ >&9)',
      'read -r -u 9 code',
      'exit "$code"',
    ];
    this.folder = folderWith(home, 'quick', `${script.join('\n')}\n`);
    server.on('connection', (socket) => {
      const answer = this.#answer(socket).finally(() => this.#answers.delete(answer));
      this.#answers.add(answer);
    });
  }

  static async start(home: Home): Promise<ShellCommands> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new ShellCommands(home, server);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    await once(this.#server, 'close');
    await Promise.all(this.#answers);
  }

  async #answer(socket: Socket): Promise<void> {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    const ended = new AbortController();
    // Without its exit code, nobody waits for it any more.
    socket.on('error', () => ended.abort()).on('close', () => ended.abort());
    // A message in place of a number is told by the shell that exits with it.
    const code = await this.#run(`/proc/${chunk.toString().trim()}`, ended).catch(String);
    socket.end(`${code}\n`);
  }

  /** Runs the command line of a process that waits for its exit code. */
  async #run(caller: string, ended: AbortController): Promise<number> {
    const textsOf = (name: string) => readFileSync(`${caller}/${name}`, 'utf8').split('\0');
    const words = textsOf('cmdline').slice(2, -1);
    const variables = textsOf('environ').filter((each) => each.includes('='));
    const env = Object.fromEntries(variables.map((each) => each.split(/=(.*)/s).slice(0, 2)));
    const cwd = readlinkSync(`${caller}/cwd`);
    const fileAt = (number: number) => readlinkSync(`${caller}/fd/${number}`);
    const isTerminal = (number: number) => fileAt(number).startsWith('/dev/pts/');
    const isTyped = isTerminal(0);
    const input = words.includes('-') && !isTyped ? await readFile(`${caller}/fd/0`) : '';
    const stdout = new FileOfAnother(`${caller}/fd/1`);
    const stderr = new FileOfAnother(`${caller}/fd/2`);
    for (const each of [stdout, stderr]) each.on('error', () => ended.abort());
    try {
      const open = (): AskingTerminal | undefined => (isTyped ? terminalAt(fileAt(0)) : undefined);
      const code = await runLineInto(words, {
        home: this.#home,
        env,
        cwd,
        input,
        stdout,
        stderr,
        isTerminal: isTerminal(1),
        signal: ended.signal,
        open,
      });
      // A reader that goes ends the program, which has done its work.
      return stdout.errored === null ? code : exitCodes.done;
    } finally {
      await Promise.all([stdout.leave(), stderr.leave()]);
    }
  }
}

/** A file of another process to write to, which is open until all is written. */
class FileOfAnother extends Writable {
  readonly #descriptor: number;

  constructor(file: string) {
    super();
    const { O_WRONLY, O_APPEND, O_NOCTTY, O_NONBLOCK } = constants;
    this.#descriptor = openSync(file, O_WRONLY | O_APPEND | O_NOCTTY | O_NONBLOCK);
  }

  /** Ends it, also where its reader has gone; resolves when it is closed. */
  async leave(): Promise<void> {
    if (this.destroyed) return;
    this.end();
    await once(this, 'close').catch(() => {});
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, done: (error?: Error) => void): void {
    try {
      const rest = chunk.subarray(this.#written(chunk));
      if (rest.length === 0) done();
      else setTimeout(() => this._write(rest, encoding, done), 5);
    } catch (error) {
      done(error as Error);
    }
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    closeSync(this.#descriptor);
    done(error);
  }

  /** Writes what there is space for; returns the length of it. */
  #written(chunk: Buffer): number {
    try {
      return writeSync(this.#descriptor, chunk);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return 0;
      throw error;
    }
  }
}

/** Opens a terminal to ask on, which is that of another process. */
function terminalAt(file: string): AskingTerminal {
  const descriptor = openSync(file, constants.O_RDWR | constants.O_NOCTTY);
  // It fails when the terminal goes, with which the caller ends.
  const input = new ReadStream(descriptor).on('error', () => {});
  return {
    write: (text) => void writeSync(descriptor, text),
    async readLine(signal) {
      const lines = createInterface({ input, signal });
      const [line] = (await once(lines, 'line', { signal })) as [string];
      return line;
    },
    close: () => void input.destroy(),
  };
}

function folderWith(home: Home, name: string, script: string): string {
  const folder = path.join(home.folder, name);
  mkdirSync(folder);
  const file = path.join(folder, 'hostdeck');
  writeFileSync(file, script);
  chmodSync(file, 0o755);
  return folder;
}
