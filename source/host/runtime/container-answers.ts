import { setTimeout } from 'node:timers/promises';
import type Docker from 'dockerode';
import type { Container } from 'dockerode';

/** The engine's answer, or a failure after `ms`: one that breaks off half-way never comes. */
export async function answerWithin<T>(ms: number, asked: Promise<T>): Promise<T> {
  const over = new AbortController();
  const late = setTimeout(ms, undefined, { signal: over.signal, ref: false }).then(() => {
    throw new DOMException('no answer', 'TimeoutError');
  });
  // Cancelled, or thrown when nobody waits for it any more.
  late.catch(() => undefined);
  try {
    return await Promise.race([asked, late]);
  } finally {
    over.abort();
  }
}

interface Question {
  readonly path: string;
  readonly method: string;
  readonly options: Readonly<Record<string, string>>;
  readonly isStream: boolean;
  readonly statusCodes: Readonly<Record<number, true | string>>;
}

/** Shows of dockerode's modem what asking by hand needs. */
interface Modem {
  dial(
    question: Question & { readonly isStream: true },
    answer: (error: Error | null, body: NodeJS.ReadableStream | null) => void,
  ): void;
  dial(
    question: Question & { readonly isStream: false },
    answer: (error: Error | null, body: unknown) => void,
  ): void;
}

/** What an engine answers on a path that dockerode does not know. Rejects where it does not. */
export async function readFromEngine(docker: Docker, path: string): Promise<unknown> {
  const modem = docker.modem as Modem;
  return await new Promise((resolve, reject) => {
    modem.dial(
      { path, method: 'GET', options: {}, isStream: false, statusCodes: { 200: true } },
      (error, body) => {
        if (error === null) resolve(body);
        else reject(error);
      },
    );
  });
}

/**
 * Waits for the end of a container, whatever it was. Settles as well when the engine goes away
 * meanwhile, which dockerode's own `wait` does not tell once the answer has begun; so its state is
 * to be asked for afterwards.
 */
export async function waitForEnd(
  container: Container,
  condition: 'next-exit' | 'not-running',
): Promise<void> {
  const modem = container.modem as Modem;
  await new Promise<void>((resolve) => {
    modem.dial(
      {
        path: `/containers/${container.id}/wait?`,
        method: 'POST',
        options: { condition },
        isStream: true,
        statusCodes: { 200: true },
      },
      (error, body) => {
        if (error !== null || body === null) {
          resolve();
          return;
        }
        body.on('error', () => {
          resolve();
        });
        body.once('close', () => {
          resolve();
        });
        body.resume();
      },
    );
  });
}
