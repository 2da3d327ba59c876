/** Where a service is. */
export interface UsableEndpoint {
  readonly ok: true;
  readonly url: URL;
  /** Path of the base URL, without a slash at its end; every request's path begins with it. */
  readonly prefix: string;
}

/** Where the service is, or why the base URL or the token cannot be used. */
export type Endpoint =
  | UsableEndpoint
  | { readonly ok: false; readonly sentence: string; readonly next: string };

const setBaseUrl = 'Set HOSTDECK_BASE_URL to something like https://api.example.com.';
const setToken = 'Set HOSTDECK_TOKEN to the token as it was given to you.';

/**
 * Checks a base URL and a token before anything is sent with them. A token goes into a header, which
 * carries visible ASCII and Latin-1 only (RFC 9110, 5.5); a stray newline from a file or a paste is
 * the usual mistake, and is said rather than sent.
 */
export function endpointOf(baseUrl: string, token: string): Endpoint {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    return { ok: false, sentence: 'The base URL is no http or https URL.', next: setBaseUrl };
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    return {
      ok: false,
      sentence: 'The base URL carries more than a host and a path.',
      next: 'Leave out user, password, query and fragment; the token goes into HOSTDECK_TOKEN.',
    };
  }
  if (token === '') return { ok: false, sentence: 'There is no token.', next: setToken };
  if (/[\r\n]/.test(token)) {
    return { ok: false, sentence: 'The token contains a line break.', next: setToken };
  }
  if (!/^[\x21-\x7e\x80-\xff]+$/.test(token)) {
    return {
      ok: false,
      sentence: 'The token contains characters that no header can carry.',
      next: setToken,
    };
  }
  return { ok: true, url, prefix: url.pathname.replace(/\/+$/, '') };
}

/** Host and port for messages; a base URL that is none is shown as it is, without what looks secret. */
export function hostOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).host : 'the service';
}
