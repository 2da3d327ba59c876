/** Words the refusals of proxies. */
import { createServiceError, type RequestTarget, type ServiceError } from './errors.ts';
import type { Proxy } from './proxy.ts';

/** The error of a proxy that refused to connect, or that could not be reached. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
  readonly proxy: Proxy;
  readonly status: number | undefined;
  /** Code of the cause, by which a request is retried as without a proxy. */
  readonly code: string;

  /** @param reason status of the proxy's answer, or the error of the connection to it. */
  constructor(proxy: Proxy, reason: number | Error) {
    super('no connection through the proxy', typeof reason === 'number' ? {} : { cause: reason });
    this.proxy = proxy;
    this.status = typeof reason === 'number' ? reason : undefined;
    this.code = (typeof reason !== 'number' && (reason as NodeJS.ErrnoException).code) || 'PROXY';
  }
}

/** Returns the error of a status with which a proxy refuses to pass a request on, or to tunnel it. */
export function createProxyStatusError(
  target: RequestTarget,
  { name, variable, url, authorization }: Proxy,
  status: number,
): ServiceError {
  const { host } = target;
  const fail = (code: 'refused' | 'forbidden', sentence: string, next: string) =>
    createServiceError(target, code, sentence, next, { status });
  // Tinyproxy answers wrong credentials with 401.
  if (status === 407 || status === 401) {
    return authorization === undefined
      ? fail(
          'forbidden',
          `The proxy ${name} requires a user and a password (${status}).`,
          `Set ${variable} to ${url.protocol}//USER:PASSWORD@${name}.`,
        )
      : fail(
          'forbidden',
          `The proxy ${name} rejected the user and the password of ${variable} (${status}).`,
          `Correct them in ${variable}; special characters are percent-encoded.`,
        );
  }
  const next = proxyStep(host, variable);
  if (status >= 500)
    return fail('refused', `The proxy ${name} can't reach ${host} (${status}).`, next);
  return fail('forbidden', `The proxy ${name} refuses connections to ${host} (${status}).`, next);
}

/** Returns the step after a proxy's failure. */
export function proxyStep(host: string, variable: string): string {
  return `Check ${variable}, or add ${host.replace(/:\d+$/, '')} to NO_PROXY.`;
}
