import { isLoopbackHost } from '../contract/base-url.ts';
import { wholeNumber } from './flags.ts';

/** An IP address to listen on, with its port where one is given. */
export interface ListenAddress {
  readonly address: string;
  readonly port: number | undefined;
  readonly isLoopback: boolean;
}

/** Parses `192.0.2.1`, `192.0.2.1:80`, `::1`, `[::1]:80` or `localhost`; undefined for others. */
export function readListenAddress(text: string): ListenAddress | undefined {
  const { isIPv4, isIPv6 } = process.getBuiltinModule('node:net');
  if (isIPv6(text)) return { address: text, port: undefined, isLoopback: isLoopback(text) };
  const [, six, four = '', digits] = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(\d+))?$/.exec(text) ?? [];
  const address = six ?? (four === 'localhost' ? '127.0.0.1' : four);
  if (!(six === undefined ? isIPv4(address) : isIPv6(address))) return undefined;
  const port = digits === undefined ? undefined : wholeNumber(digits, 65_535);
  if (digits !== undefined && port === undefined) return undefined;
  return { address, port, isLoopback: isLoopback(address) };
}

function isLoopback(address: string): boolean {
  const host = address.includes(':') ? `[${address}]` : address;
  return isLoopbackHost(URL.parse(`http://${host}`)?.hostname ?? '');
}

const label = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/i;

/** Parses a list of host names with commas; undefined where an item can't be a host name. */
export function readNames(list: string | undefined): readonly string[] | undefined {
  const names = list === undefined ? [] : list.split(',').map((name) => name.trim().toLowerCase());
  const { isIPv6 } = process.getBuiltinModule('node:net');
  const isName = (name: string) =>
    name.length <= 253 && name.split('.').every((part) => label.test(part));
  if (!names.every((name) => isIPv6(name) || isName(name))) return undefined;
  return names.map((name) => (isIPv6(name) ? `[${name}]` : name));
}
