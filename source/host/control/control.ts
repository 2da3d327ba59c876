import { chmodSync, lstatSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Workload } from '../runtime/choice.ts';
import {
  backupRequest,
  backupWithVolumesRequest,
  sendBackup,
  type StreamedBackup,
} from './backup-frames.ts';

/** The answer to `hello`: the host's URL, and a token for the wallet of this user. */
export interface HostInfo {
  readonly baseUrl: string;
  readonly token: string;
  readonly wallet: string;
  readonly pid: number;
  readonly version: string;
  /** Kinds of services that the host runs; absent in the answer of older hosts. */
  readonly workloads?: readonly Workload[] | undefined;
  /** Open leases of a host that ends after the last one; absent for one that stays. */
  readonly leases?: number | undefined;
}

/** A request on the control socket: one line of JSON with an `op`; see also {@link backupRequest}. */
export type ControlRequest =
  | { readonly op: 'hello' }
  /** Keeps a leased host running while this connection is open; answers like `hello`. */
  | { readonly op: 'lease' }
  | { readonly op: 'token'; readonly wallet: string }
  /** Answers with the balance as decimal text, after setting it when `balance` is given. */
  | { readonly op: 'wallet'; readonly wallet: string; readonly balance?: string };

/** The answer to a request, as one line of JSON. */
export type ControlResponse =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string };

/** Handlers of the operations. A thrown error's message is sent to the client. */
export interface ControlHandlers {
  hello(): Omit<HostInfo, 'leases'>;
  token(wallet: string): string;
  wallet(wallet: string, balance?: string): string;
  /** @param hasVolumes is true for a backup with the volumes of processes. */
  backup(hasVolumes: boolean): StreamedBackup;
}

/** Stops a leased host that has no lease left. */
export interface LeaseOptions {
  /** Milliseconds after the end of the last lease. */
  readonly graceMs: number;
  /** Milliseconds in which the first lease must arrive. */
  readonly firstLeaseTimeoutMs: number;
  readonly onUnused: () => void;
}

/**
 * The socket on which this user's commands and consoles reach the host. A client of the socket has
 * full control of the host, so only this user can open it.
 */
export class ControlServer {
  readonly #server: Server;
  readonly #handlers: ControlHandlers;
  readonly #lease: LeaseOptions | undefined;
  readonly #connections = new Set<Socket>();
  readonly #leases = new Set<Socket>();
  #timer: NodeJS.Timeout | undefined;
  #path = '';
  #isPlaced = false;

  private constructor(handlers: ControlHandlers, lease: LeaseOptions | undefined) {
    this.#handlers = handlers;
    this.#lease = lease;
    this.#server = createServer((socket) => {
      this.#serve(socket);
    });
  }

  /** Starts listening. The caller holds the folder's lock, so an existing socket is stale. */
  static async listen(
    path: string,
    handlers: ControlHandlers,
    lease?: LeaseOptions,
  ): Promise<ControlServer> {
    const control = new ControlServer(handlers, lease);
    try {
      await control.#bind(path);
    } catch (error) {
      await control.close();
      throw error;
    }
    if (lease !== undefined) control.#awaitLease(lease.firstLeaseTimeoutMs);
    return control;
  }

  /** Stops listening and closes every connection. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    const closed = new Promise((resolve) => this.#server.close(resolve));
    for (const socket of this.#connections) socket.destroy();
    await closed;
    if (this.#isPlaced) rmSync(this.#path, { force: true });
  }

  /**
   * Binds the socket in a private folder and moves it to its path once its mode is set. The data
   * folder may be accessible to others, and a new socket has the mode that the umask leaves. The
   * private folder stays: a full disk would refuse a new one.
   */
  async #bind(path: string) {
    this.#path = path;
    const folder = join(dirname(path), `.${basename(path, '.sock')}`);
    if (!isPrivateFolder(folder)) {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { mode: 0o700 });
    }
    // Never longer than the final path, which respects the limit for sockets.
    const bound = join(folder, 's');
    // Remove a leftover of a killed host.
    rmSync(bound, { force: true });
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(bound, resolve);
    });
    chmodSync(bound, 0o600);
    renameSync(bound, path);
    this.#isPlaced = true;
  }

  #serve(socket: Socket) {
    this.#connections.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#connections.delete(socket);
      if (this.#leases.delete(socket) && this.#leases.size === 0) {
        this.#awaitLease(this.#lease?.graceMs);
      }
    });
    const lines = createInterface({ input: socket }).on('line', (line) => {
      if (line === backupRequest || line === backupWithVolumesRequest) {
        lines.close();
        void sendBackup(socket, this.#handlers.backup(line === backupWithVolumesRequest));
      } else {
        socket.write(`${JSON.stringify(this.#answerLine(socket, line))}\n`);
      }
    });
  }

  #answerLine(socket: Socket, line: string): ControlResponse {
    try {
      return { ok: true, value: this.#handle(socket, JSON.parse(line) as ControlRequest) };
    } catch (error) {
      return { ok: false, message: error instanceof Error ? error.message : String(error) };
    }
  }

  #handle(socket: Socket, request: ControlRequest): unknown {
    switch (request.op) {
      case 'hello':
        return this.#info();
      case 'lease':
        this.#leases.add(socket);
        clearTimeout(this.#timer);
        return this.#info();
      case 'token':
        return this.#handlers.token(request.wallet);
      case 'wallet':
        return this.#handlers.wallet(request.wallet, request.balance);
      default:
        throw new Error('The host does not support this operation; it may be an older version.');
    }
  }

  #info(): HostInfo {
    const info = this.#handlers.hello();
    return this.#lease === undefined ? info : { ...info, leases: this.#leases.size };
  }

  /** Reports the host as unused unless a lease arrives in time. */
  #awaitLease(ms: number | undefined) {
    if (this.#lease === undefined || !this.#server.listening) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#lease.onUnused, ms);
  }
}

function isPrivateFolder(folder: string): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false });
  if (stats?.isDirectory() !== true) return false;
  return stats.uid === (process.geteuid?.() ?? stats.uid) && (stats.mode & 0o777) === 0o700;
}
