/** Decides from the environment which proxy a service is reached through. */
import { BlockList, isIP } from 'node:net';
import { isThisMachine } from '../../contract/base-url.ts';

/** Variables of the environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A proxy of HTTP requests and WebSockets. */
export interface Proxy {
  /** URL without user and password. */
  readonly url: URL;
  /** Host and port, for messages. */
  readonly name: string;
  /** Variable that names the proxy. */
  readonly variable: string;
  /** True where the proxy reads requests, of an http URL; for others it passes a tunnel's bytes. */
  readonly isForwarding: boolean;
  /** Value of `Proxy-Authorization`, which is never shown. */
  readonly authorization: string | undefined;
}

/** The way to a service, with its reason. */
export type ProxyChoice =
  | { readonly kind: 'direct'; readonly reason: string }
  | { readonly kind: 'proxy'; readonly proxy: Proxy }
  | { readonly kind: 'unusable'; readonly sentence: string; readonly next: string };

/**
 * Chooses the proxy of a URL as curl does: the variable of its scheme, else ALL_PROXY, unless NO_PROXY
 * lists the host. A lower case variable outranks the upper case one, and an empty one means no proxy.
 * Loopback is always reached directly.
 */
export function chooseProxy(url: URL, environment: Environment): ProxyChoice {
  if (isThisMachine(url.hostname)) return direct('this machine needs no proxy');
  const scheme = url.protocol === 'http:' || url.protocol === 'ws:' ? 'http' : 'https';
  const found =
    findVariable(`${scheme}_proxy`, environment) ?? findVariable('all_proxy', environment);
  if (found === undefined || found.value.trim() === '') {
    return direct(`no ${scheme.toUpperCase()}_PROXY or ALL_PROXY is set`);
  }
  const exceptions = findVariable('no_proxy', environment);
  const entry = exceptions && findException(url, exceptions.value);
  if (exceptions !== undefined && entry !== undefined) {
    return direct(`${exceptions.name} lists ${entry}`);
  }
  return parseProxy(found.name, found.value.trim(), scheme === 'http');
}

function direct(reason: string): ProxyChoice {
  return { kind: 'direct', reason };
}

function findVariable(name: string, environment: Environment) {
  const upper = name.toUpperCase();
  // In a CGI program, HTTP_PROXY is the header `Proxy` of a stranger's request.
  const isHeader = upper === 'HTTP_PROXY' && environment['REQUEST_METHOD'] !== undefined;
  for (const spelling of isHeader ? [name] : [name, upper]) {
    const value = environment[spelling];
    if (value !== undefined) return { name: spelling, value };
  }
  return undefined;
}

function parseProxy(variable: string, value: string, isForwarding: boolean): ProxyChoice {
  const text = /^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.hostname === '') {
    return unusable(
      `${variable} is not a URL.`,
      `Set ${variable} to something like http://HOST:PORT.`,
    );
  }
  const { protocol, host } = url;
  if (protocol !== 'http:' && protocol !== 'https:') {
    return unusable(
      `${variable} names a proxy of the kind ${protocol.slice(0, -1)}, which is not supported.`,
      `Set ${variable} to an http or https proxy.`,
    );
  }
  const authorization = authorizationOf(url);
  const port = url.port === '' ? `:${protocol === 'http:' ? 80 : 443}` : '';
  return {
    kind: 'proxy',
    proxy: {
      url: new URL(`${protocol}//${host}`),
      name: host + port,
      variable,
      isForwarding,
      authorization,
    },
  };
}

function unusable(sentence: string, next: string): ProxyChoice {
  return { kind: 'unusable', sentence, next };
}

function authorizationOf({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined;
  const credentials = `${decodePart(username)}:${decodePart(password)}`;
  return `Basic ${Buffer.from(credentials).toString('base64')}`;
}

/** Decodes percent-encoding; a part with a lone `%` is taken as it is. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * Returns the entry of NO_PROXY that covers a URL: `*`, a domain with or without a leading dot or
 * `*.`, an address, or a network such as 10.0.0.0/8; a domain or address may have a port.
 */
function findException({ hostname, port, protocol }: URL, list: string): string | undefined {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  const ownPort = port === '' ? (/^(?:https|wss):$/.test(protocol) ? '443' : '80') : port;
  return list.split(/[\s,]+/).find((entry) => {
    // An IPv6 address with a port has brackets; without them, every colon belongs to the address.
    const [, six, name = entry, entryPort] =
      /^(?:\[([^\]]*)\]|([^:]*))(?::(\d+))?$/.exec(entry) ?? [];
    if (entryPort !== undefined && entryPort !== ownPort) return false;
    return covers((six ?? name).toLowerCase(), host);
  });
}

function covers(entry: string, host: string): boolean {
  if (entry === '*') return true;
  if (isIP(host) > 0) return isInNetwork(entry, host);
  const domain = entry.replace(/^\*?\./, '').replace(/\.$/, '');
  if (domain === '') return false;
  return (host === domain && !entry.startsWith('*')) || host.endsWith(`.${domain}`);
}

/** Returns true if an entry is the address, in any spelling, or a network around it. */
function isInNetwork(entry: string, address: string): boolean {
  const [network = '', bits] = entry.split('/');
  const family = isIP(network);
  if (family === 0 || family !== isIP(address)) return false;
  const length = bits === undefined ? (family === 4 ? 32 : 128) : Number(bits);
  if (!Number.isInteger(length) || length < 0 || length > (family === 4 ? 32 : 128)) return false;
  const type = family === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(network, length, type);
  return list.check(address, type);
}
