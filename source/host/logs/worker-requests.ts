import type { LogAnswer, LogBatch, LogRequest } from './worker-messages.ts';

type ReadRequest = Exclude<LogRequest, LogBatch | { readonly kind: 'close' }>;

type RequestAnswer = Extract<LogAnswer, { readonly kind: 'answer' | 'failed' }>;

interface PendingRequest {
  readonly request: ReadRequest;
  readonly answer: PromiseWithResolvers<Uint8Array<ArrayBuffer>>;
  attempts: number;
}

/** Most attempts of a request; a worker that dies may have been ended by it. */
const maxAttempts = 2;

/** The requests that the log worker has not answered. */
export class WorkerRequests {
  readonly #pending = new Map<number, PendingRequest>();
  readonly #send: (request: ReadRequest) => boolean;
  #next = 1;

  /** @param send Passes a request to the worker; returns false while there is none. */
  constructor(send: (request: ReadRequest) => boolean) {
    this.#send = send;
  }

  /** Resolves with the answer. @param create Creates the request with its number. */
  request(create: (number: number) => ReadRequest): Promise<Uint8Array<ArrayBuffer>> {
    const number = this.#next;
    this.#next += 1;
    const answer = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
    const pending = { request: create(number), answer, attempts: 0 };
    this.#pending.set(number, pending);
    this.#attempt(number, pending);
    return answer.promise;
  }

  settle(answer: RequestAnswer): void {
    const pending = this.#pending.get(answer.number)?.answer;
    this.#pending.delete(answer.number);
    if (answer.kind === 'answer') pending?.resolve(answer.json);
    else pending?.reject(new Error(answer.message));
  }

  /** Sends all requests to a new worker. */
  sendAgain(): void {
    for (const [number, pending] of this.#pending) this.#attempt(number, pending);
  }

  rejectAll(error: unknown): void {
    for (const { answer } of this.#pending.values()) answer.reject(error);
    this.#pending.clear();
  }

  #attempt(number: number, pending: PendingRequest) {
    if (pending.attempts === maxAttempts) {
      this.#pending.delete(number);
      pending.answer.reject(new Error('the log worker ended during this request'));
    } else if (this.#send(pending.request)) {
      pending.attempts += 1;
    }
  }
}
