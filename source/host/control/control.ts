import { chmodSync, mkdirSync, renameSync, rmdirSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Workload } from '../runtime/choice.ts';

/** What the host answers to `hello`: where it is, and a token for the wallet of this user. */
export interface Hello {
  readonly baseUrl: string;
  readonly token: string;
  readonly wallet: string;
  readonly pid: number;
  readonly version: string;
  /** The kinds of services that this host runs; older hosts don't say. */
  readonly workloads?: readonly Workload[] | undefined;
}

/** Operations of the control socket. Each request is one line of JSON with an `op`. */
export type ControlRequest =
  | { readonly op: 'hello' }
  /** Keeps a leased host running for as long as this connection is open; answers like `hello`. */
  | { readonly op: 'lease' }
  | { readonly op: 'token'; readonly wallet: string }
  /** Answers the balance, after setting it when one is given (decimal text). */
  | { readonly op: 'wallet'; readonly wallet: string; readonly balance?: string };

export type ControlAnswer =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string };

/** What the control socket can ask of the host. Each may throw; the message is shown then. */
export interface ControlHandlers {
  hello(): Hello;
  token(wallet: string): string;
  wallet(wallet: string, balance?: string): string;
}

/** Ends a host that nobody holds a lease of any more. */
export interface LeaseOptions {
  /** Time after the last lease is gone. */
  readonly graceMs: number;
  /** Time for the first lease to come. */
  readonly firstMs: number;
  readonly onUnused: () => void;
}

/**
 * The socket by which this user's other processes reach the host: commands, and consoles with
 * their leases. Who can open it may do anything, so only this user can.
 */
export class Control {
  readonly #server: Server;
  readonly #handlers: ControlHandlers;
  readonly #lease: LeaseOptions | undefined;
  readonly #connections = new Set<Socket>();
  readonly #leases = new Set<Socket>();
  #timer: NodeJS.Timeout | undefined;
  #path = '';

  private constructor(handlers: ControlHandlers, lease: LeaseOptions | undefined) {
    this.#handlers = handlers;
    this.#lease = lease;
    this.#server = createServer((socket) => {
      this.#serve(socket);
    });
  }

  /** Listens. The caller holds the data folder: a socket that is there is a dead host's. */
  static async listen(
    path: string,
    handlers: ControlHandlers,
    lease?: LeaseOptions,
  ): Promise<Control> {
    const control = new Control(handlers, lease);
    await control.#listen(path);
    if (lease !== undefined) control.#expect(lease.firstMs);
    return control;
  }

  /** Stops listening and lets every connection go. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#connections) socket.destroy();
    await closed;
    rmSync(this.#path, { force: true });
  }

  /**
   * Binds the socket in a folder of its own, which nobody else can enter, and moves it to its place
   * once its mode is right: the data folder itself may let others in, and a socket gets the mode
   * that the umask leaves.
   */
  async #listen(path: string) {
    this.#path = path;
    const folder = join(dirname(path), `.${basename(path, '.sock')}`);
    // A host that was killed may have left it.
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { mode: 0o700 });
    // Not longer than the path itself, which is as long as a socket's may be.
    const bound = join(folder, 's');
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(bound, resolve);
    });
    chmodSync(bound, 0o600);
    renameSync(bound, path);
    rmdirSync(folder);
  }

  #serve(socket: Socket) {
    this.#connections.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#connections.delete(socket);
      if (this.#leases.delete(socket) && this.#leases.size === 0) {
        this.#expect(this.#lease?.graceMs);
      }
    });
    createInterface({ input: socket }).on('line', (line) => {
      socket.write(`${JSON.stringify(this.#answer(socket, line))}\n`);
    });
  }

  #answer(socket: Socket, line: string): ControlAnswer {
    try {
      return { ok: true, value: this.#do(socket, JSON.parse(line) as ControlRequest) };
    } catch (error) {
      return { ok: false, message: error instanceof Error ? error.message : String(error) };
    }
  }

  #do(socket: Socket, request: ControlRequest): unknown {
    switch (request.op) {
      case 'hello':
        return this.#handlers.hello();
      case 'lease':
        this.#leases.add(socket);
        clearTimeout(this.#timer);
        return this.#handlers.hello();
      case 'token':
        return this.#handlers.token(request.wallet);
      case 'wallet':
        return this.#handlers.wallet(request.wallet, request.balance);
      default:
        throw new Error('The host does not know this operation; it may be of an older version.');
    }
  }

  /** Calls the host unused unless a lease comes in time. */
  #expect(ms: number | undefined) {
    if (this.#lease === undefined || !this.#server.listening) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#lease.onUnused, ms);
  }
}
