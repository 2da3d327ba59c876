import { parseBaseUrl } from '../../contract/base-url.ts';
import { chooseProxy, type Environment, type Proxy } from './proxy.ts';

/** The parsed base URL of a service. */
export interface UsableEndpoint {
  readonly ok: true;
  readonly url: URL;
  /** Path of the base URL without a trailing slash; every request path starts with it. */
  readonly prefix: string;
  /** Proxy through which the service is reached. */
  readonly proxy?: Proxy | undefined;
}

/** The parsed base URL, or the reason why the base URL or the token is invalid. */
export type Endpoint =
  | UsableEndpoint
  | {
      readonly ok: false;
      /** `unauthorized` without a token: the service would reject every request. */
      readonly code: 'local' | 'unauthorized';
      readonly sentence: string;
      readonly next: string;
    };

const setToken = 'Set HOSTDECK_TOKEN to the exact token you received.';

/**
 * Validates a base URL and a token before any request uses them, and chooses the proxy. The token is sent in a header, which
 * allows only visible ASCII and Latin-1 (RFC 9110, 5.5); the usual mistake is a newline from a file
 * or a paste.
 */
export function parseEndpoint(
  baseUrl: string,
  token: string,
  environment: Environment = {},
): Endpoint {
  const parsed = parseBaseUrl(baseUrl);
  if (!parsed.ok) return refused(parsed.sentence, parsed.next);
  const { url } = parsed;
  if (token === '') return { ...refused('No token is set.', setToken), code: 'unauthorized' };
  if (/[\r\n]/.test(token)) {
    return refused('The token contains a line break.', setToken);
  }
  if (!/^[\x21-\x7e\x80-\xff]+$/.test(token)) {
    return refused(
      'The token contains characters that are not allowed in an HTTP header.',
      setToken,
    );
  }
  const choice = chooseProxy(url, environment);
  if (choice.kind === 'unusable') return refused(choice.sentence, choice.next);
  const proxy = choice.kind === 'proxy' ? choice.proxy : undefined;
  return { ok: true, url, prefix: url.pathname.replace(/\/+$/, ''), proxy };
}

function refused(sentence: string, next: string) {
  return { ok: false, code: 'local', sentence, next } as const;
}

/** Returns host and port of a base URL, for messages; an invalid URL is not shown. */
export function parseHost(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : 'the service';
}
