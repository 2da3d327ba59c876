import { connect, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { ControlAnswer, ControlRequest, Hello } from './control.ts';

/** How long a host that took a connection may take to answer. */
const answerMs = 5000;

/** A connection to the control socket of a running host. */
export class ControlClient {
  readonly #socket: Socket;
  readonly #answers: AsyncIterator<string>;
  /** Settles when the host let go of the connection. */
  readonly lost: Promise<void>;

  private constructor(socket: Socket) {
    this.#socket = socket;
    this.#answers = createInterface({ input: socket })[Symbol.asyncIterator]();
    this.lost = new Promise((resolve) => {
      socket.once('close', () => {
        resolve();
      });
    });
  }

  /** Undefined when no host listens there. */
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

  async hello(): Promise<Hello | undefined> {
    return await this.#ask<Hello>({ op: 'hello' });
  }

  /** Keeps a leased host running while this connection is open. */
  async lease(): Promise<Hello | undefined> {
    return await this.#ask<Hello>({ op: 'lease' });
  }

  async token(wallet: string): Promise<string | undefined> {
    return await this.#ask<string>({ op: 'token', wallet });
  }

  /** The balance, after setting it when one is given; decimal text both ways. */
  async wallet(wallet: string, balance?: string): Promise<string | undefined> {
    const request = balance === undefined ? { wallet } : { wallet, balance };
    return await this.#ask<string>({ op: 'wallet', ...request });
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Throws what the host says against it; undefined when it is gone before it answers. */
  async #ask<T>(request: ControlRequest): Promise<T | undefined> {
    this.#socket.setTimeout(answerMs, () => {
      this.#socket.destroy();
    });
    this.#socket.write(`${JSON.stringify(request)}\n`);
    const line = await this.#answers.next();
    this.#socket.setTimeout(0);
    if (line.done === true) return undefined;
    const answer = JSON.parse(line.value) as ControlAnswer;
    if (!answer.ok) throw new Error(answer.message);
    return answer.value as T;
  }
}
