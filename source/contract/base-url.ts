/** Parses the base URL of a service. */

/** A base URL, or its mistake; no message repeats the URL, which may contain a password. */
export type BaseUrl =
  | { readonly ok: true; readonly url: URL }
  | { readonly ok: false; readonly sentence: string; readonly next: string };

const likeThis = 'Use a form like https://api.example.com.';

/** Parses an absolute http or https URL of a host and a path. */
export function parseBaseUrl(text: string): BaseUrl {
  if (text.trim() === '') return refuse('The base URL is empty.', likeThis);
  // Parsing removes line breaks and tabs, wherever they are.
  if (/[\t\r\n]/.test(text.trim())) return refuse('The base URL contains a line break or a tab.');
  const [, scheme] = /^\s*([a-z][a-z\d+.-]*):\/\//i.exec(text) ?? [];
  if (scheme === undefined) {
    return refuse('The base URL has no scheme.', 'Start it with https:// or http://.');
  }
  const isSocket = /^wss?$/i.test(scheme);
  if (isSocket || !/^https?$/i.test(scheme)) {
    const known = scheme.toLowerCase() === 'wss' ? 'https://' : 'http://';
    return refuse(
      `The base URL starts with ${scheme}://, which is not http or https.`,
      isSocket ? `Start it with ${known} instead.` : 'Start it with https:// or http://.',
    );
  }
  const url = URL.parse(text);
  if (url === null) return refuse(reasonOf(text));
  if (url.username !== '' || url.password !== '') {
    return refuse(
      'The base URL contains a user or a password.',
      'Remove it; a token is set by HOSTDECK_TOKEN.',
    );
  }
  if (url.search !== '') return refuse('The base URL contains a query.', 'Remove it and the "?".');
  if (url.hash !== '') return refuse('The base URL contains a fragment.', 'Remove it and the "#".');
  if (url.port === '0')
    return refuse('The port of the base URL is 0.', 'Use a port from 1 to 65535.');
  return { ok: true, url };
}

function refuse(sentence: string, next = likeThis): BaseUrl {
  return { ok: false, sentence, next };
}

/** Returns why an http or https URL cannot be parsed. */
function reasonOf(text: string): string {
  const authority = text
    .trim()
    .replace(/^[^:]*:\/\//, '')
    .replace(/[/?#\\].*$/s, '');
  // The text before a slash may be half of a password, which no message repeats.
  if (text.includes('@')) return 'The base URL contains a user or a password.';
  if (/^(?::\d*)?$/.test(authority)) return 'The base URL has no host.';
  if (/\s/.test(authority)) return 'The host of the base URL contains a space.';
  const port = /^(?:\[[^\]]*\]|[^:[\]]+):([^:]*)$/.exec(authority)?.[1];
  if (port !== undefined && /^\d+$/.test(port) && Number(port) > 65_535) {
    return `The port of the base URL is ${port}, and the highest port is 65535.`;
  }
  if (port !== undefined && !/^\d*$/.test(port)) return 'The port of the base URL is not a number.';
  if (/^[^[]*:.*:/.test(authority)) return 'The IPv6 address in the base URL needs brackets.';
  return 'The host of the base URL is not a valid name or address.';
}

/**
 * Returns true for the host name of a parsed http or https URL that is a loopback name or address.
 * Parsing has already turned `127.1`, `0x7f000001` and the like into four numbers.
 */
export function isLoopbackHost(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '');
  return (
    /^(?:.+\.)?localhost$/.test(host) ||
    /^127(?:\.\d+){3}$/.test(host) ||
    /^\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\]$/.test(host) ||
    host === '[::1]'
  );
}

/** Returns true for a host name whose requests stay on this machine: loopback or unspecified. */
export function isThisMachine(hostname: string): boolean {
  return isLoopbackHost(hostname) || hostname === '0.0.0.0' || hostname === '[::]';
}
