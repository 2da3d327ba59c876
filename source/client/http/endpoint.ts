/** The parsed base URL of a service. */
export interface UsableEndpoint {
  readonly ok: true;
  readonly url: URL;
  /** Path of the base URL without a trailing slash; every request path starts with it. */
  readonly prefix: string;
}

/** The parsed base URL, or the reason why the base URL or the token is invalid. */
export type Endpoint =
  | UsableEndpoint
  | { readonly ok: false; readonly sentence: string; readonly next: string };

const setBaseUrl = 'Set HOSTDECK_BASE_URL to something like https://api.example.com.';
const setToken = 'Set HOSTDECK_TOKEN to the exact token you received.';

/**
 * Validates a base URL and a token before any request uses them. The token is sent in a header, which
 * allows only visible ASCII and Latin-1 (RFC 9110, 5.5); the usual mistake is a newline from a file
 * or a paste.
 */
export function parseEndpoint(baseUrl: string, token: string): Endpoint {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    return { ok: false, sentence: 'The base URL is not an http or https URL.', next: setBaseUrl };
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    return {
      ok: false,
      sentence: 'The base URL contains more than a host and a path.',
      next: 'Remove user, password, query and fragment; set the token in HOSTDECK_TOKEN.',
    };
  }
  if (token === '') return { ok: false, sentence: 'No token is set.', next: setToken };
  if (/[\r\n]/.test(token)) {
    return { ok: false, sentence: 'The token contains a line break.', next: setToken };
  }
  if (!/^[\x21-\x7e\x80-\xff]+$/.test(token)) {
    return {
      ok: false,
      sentence: 'The token contains characters that are not allowed in an HTTP header.',
      next: setToken,
    };
  }
  return { ok: true, url, prefix: url.pathname.replace(/\/+$/, '') };
}

/** Returns host and port of a base URL, for messages; an invalid URL is not shown. */
export function parseHost(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : 'the service';
}
