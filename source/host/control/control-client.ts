import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { ControlResponse, ControlRequest, HostInfo } from './control.ts';

/** Milliseconds for a host that accepted a connection to answer a request. */
const answerTimeoutMs = 5000;

/** A connection to the control socket of a running host. */
export class ControlClient {
  readonly #socket: Socket;
  readonly #answers: AsyncIterator<string>;
  /** Resolves when the connection closes. */
  readonly closed: Promise<void>;

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.#answers = createInterface({ input: socket })[Symbol.asyncIterator]();
    this.closed = new Promise((resolve) => {
      socket.once('close', () => {
        resolve();
      });
    });
  }

  /** Connects to a host. Resolves with undefined when none listens on the socket. */
  static async connect(path: string): Promise<ControlClient | undefined> {
    const socket = connect(path);
    return await new Promise((resolve) => {
      socket.once('connect', () => {
        resolve(new ControlClient(socket));
      });
      socket.on('error', () => {
        resolve(undefined);
      });
    });
  }

  async hello(): Promise<HostInfo | undefined> {
    return await this.#request<HostInfo>({ op: 'hello' });
  }

  /** Keeps a leased host running while this connection is open. */
  async lease(): Promise<HostInfo | undefined> {
    return await this.#request<HostInfo>({ op: 'lease' });
  }

  async token(wallet: string): Promise<string | undefined> {
    return await this.#request<string>({ op: 'token', wallet });
  }

  /** Resolves with the balance as decimal text, after setting it when `balance` is given. */
  async wallet(wallet: string, balance?: string): Promise<string | undefined> {
    const request = balance === undefined ? { wallet } : { wallet, balance };
    return await this.#request<string>({ op: 'wallet', ...request });
  }

  close(): void {
    this.#socket.destroy();
  }

  /**
   * Sends a request. Resolves with undefined when the connection closes before the answer; throws
   * the host's error message.
   */
  async #request<T>(request: ControlRequest): Promise<T | undefined> {
    this.#socket.setTimeout(answerTimeoutMs, () => {
      this.#socket.destroy();
    });
    this.#socket.write(`${JSON.stringify(request)}\n`);
    const line = await this.#answers.next();
    this.#socket.setTimeout(0);
    if (line.done === true) return undefined;
    const answer = JSON.parse(line.value) as ControlResponse;
    if (!answer.ok) throw new Error(answer.message);
    return answer.value as T;
  }
}
