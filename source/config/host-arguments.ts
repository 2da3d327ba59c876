import { durationForms, parseDuration } from './duration.ts';
import { parse, type Usage, usage, wholeNumber } from './flags.ts';
import type { HostCommand } from '../host/command.ts';
import type { SandboxChoice } from '../host/isolation/open-isolation.ts';
import type { HostLimits } from '../host/server/limits.ts';
import type { RuntimeName } from '../host/runtime/names.ts';
import { isLoopbackHost } from '../contract/base-url.ts';
import { parseDecimal } from '../contract/decimal.ts';
import { parseBytes, parseCpu } from '../contract/sdl/resources.ts';

/** Commands without the folder and the version, which the command line need not tell. */
type Told<Command> = Command extends HostCommand
  ? Omit<Command, 'data' | 'version'> & { readonly data: string | undefined }
  : never;

/** A validated command line of `hostdeck host …`. */
export type HostInvocation = Told<HostCommand>;

const runtimeNames = [
  'process',
  'container',
  'auto',
  'swarm',
] as const satisfies readonly RuntimeName[];

const sandboxChoices = ['auto', 'require', 'off'] as const satisfies readonly SandboxChoice[];

interface ListenFlags {
  readonly listen: string | undefined;
  readonly tlsCert: string | undefined;
  readonly tlsKey: string | undefined;
  readonly insecure: boolean;
}

type Listening = Pick<Extract<HostInvocation, { kind: 'host' }>, 'address' | 'port' | 'exposure'>;

/** Reads the command line behind `hostdeck host`. */
export function readHost(argv: readonly string[]): HostInvocation | Usage {
  const { input, flags, unknown } = parse(argv, {
    port: { type: 'string' },
    listen: { type: 'string' },
    tlsCert: { type: 'string' },
    tlsKey: { type: 'string' },
    insecure: { type: 'boolean', default: false },
    hostName: { type: 'string' },
    data: { type: 'string' },
    wallet: { type: 'string' },
    balance: { type: 'string' },
    leased: { type: 'boolean', default: false },
    runtime: { type: 'string' },
    engine: { type: 'string' },
    registry: { type: 'string' },
    overcommit: { type: 'string' },
    takeOver: { type: 'boolean', default: false },
    sandbox: { type: 'string' },
    trustWallets: { type: 'boolean', default: false },
    keepClosed: { type: 'string' },
    minAmount: { type: 'string' },
    maxDeployments: { type: 'string' },
    maxServices: { type: 'string' },
    maxInstances: { type: 'string' },
    maxCpu: { type: 'string' },
    maxMemory: { type: 'string' },
    maxStorage: { type: 'string' },
    minFree: { type: 'string' },
    maxLogs: { type: 'string' },
    volumes: { type: 'boolean', default: false },
    anyAddress: { type: 'boolean', default: false },
  });
  if (unknown !== undefined) return unknown;
  const { data, wallet, balance, leased, trustWallets } = flags;
  const [command, address] = input;
  if (command === 'token') {
    if (wallet === undefined || wallet === '') return usage('host token needs --wallet ADDRESS.');
    return flags.anyAddress || isWalletAddress(wallet)
      ? { kind: 'token', data, wallet }
      : noAddress(wallet);
  }
  if (command === 'wallet') {
    const of = address ?? wallet;
    if (of === undefined) return usage('host wallet needs an ADDRESS.');
    return flags.anyAddress || isWalletAddress(of)
      ? { kind: 'wallet', data, wallet: of, balance }
      : noAddress(of);
  }
  if (command === 'backup' || command === 'restore') {
    if (address === undefined || address === '') return usage(`host ${command} needs a FILE.`);
    return command === 'backup'
      ? { kind: command, data, file: address, hasVolumes: flags.volumes }
      : { kind: command, data, file: address };
  }
  if (command !== undefined) return usage(`Unknown command host ${command}.`);
  const port = flags.port === undefined ? undefined : wholeNumber(flags.port, 65_535);
  if (flags.port !== undefined && port === undefined) {
    return usage('--port must be a whole number from 0 to 65535.');
  }
  const names = readNames(flags.hostName);
  if (names === undefined)
    return usage('--host-name must be names like deck.example.com, separated by commas.');
  const runtime = runtimeNames.find((name) => name === flags.runtime);
  if (flags.runtime !== undefined && runtime === undefined) {
    return usage('--runtime must be process, container, auto or swarm.');
  }
  const sandbox = readSandbox(flags.sandbox);
  if (sandbox === null) return usage('--sandbox must be auto, require or off.');
  if (sandbox === 'require' && (runtime === 'container' || runtime === 'swarm')) {
    return usage('--sandbox applies to processes; containers are isolated already.');
  }
  const cluster = readCluster(flags, runtime);
  if ('kind' in cluster) return cluster;
  const keepClosedMs = flags.keepClosed === undefined ? undefined : parseDuration(flags.keepClosed);
  if (flags.keepClosed !== undefined && keepClosedMs === undefined) {
    return usage(`--keep-closed must be ${durationForms}.`);
  }
  const limits = readLimits(flags);
  if ('kind' in limits) return limits;
  const listening = readListening(flags, port);
  if ('kind' in listening) return listening;
  return {
    kind: 'host',
    ...listening,
    names,
    data,
    leased,
    runtime,
    ...cluster,
    sandbox,
    trustWallets,
    keepClosedMs,
    limits,
  };
}

interface ClusterFlags {
  readonly engine: string | undefined;
  readonly registry: string | undefined;
  readonly overcommit: string | undefined;
  readonly takeOver: boolean;
}

/** Reads the flags of a container engine and of a swarm. */
function readCluster(
  { engine, registry, overcommit, takeOver }: ClusterFlags,
  runtime: RuntimeName | undefined,
) {
  if (engine !== undefined && (runtime === undefined || runtime === 'process')) {
    return usage('--engine needs --runtime container, auto or swarm.');
  }
  const isForSwarm = registry !== undefined || overcommit !== undefined || takeOver;
  if (isForSwarm && runtime !== 'swarm') {
    return usage('--registry, --overcommit and --take-over need --runtime swarm.');
  }
  if (registry !== undefined && !/^[\w.-]+(?::\d+)?(?:\/[\w.-]+)+$/.test(registry)) {
    return usage('--registry must be HOST[:PORT]/PREFIX, like registry.example.com/hostdeck.');
  }
  const divisor = overcommit === undefined ? undefined : Number(overcommit);
  if (divisor !== undefined && !(divisor >= 1 && divisor <= 100)) {
    return usage('--overcommit must be a number from 1 to 100.');
  }
  return { engine, registry, overcommit: divisor, takeOver };
}

/** Parses the flag's value; `require` without one, null for an unknown word. */
function readSandbox(text: string | undefined): SandboxChoice | undefined | null {
  if (text === undefined) return undefined;
  return text === '' ? 'require' : (sandboxChoices.find((choice) => choice === text) ?? null);
}

/** Reads the addresses to listen on. Any address but loopback needs TLS or `--insecure`. */
function readListening(flags: ListenFlags, port: number | undefined): Listening | Usage {
  const { listen, tlsCert: cert, tlsKey: key, insecure } = flags;
  if (listen === undefined) {
    if (cert === undefined && key === undefined && !insecure) {
      return { address: undefined, port, exposure: undefined };
    }
    return usage('--tls-cert, --tls-key and --insecure need --listen ADDRESS.');
  }
  const place = readListenAddress(listen);
  if (place === undefined) {
    return usage('--listen must be an IP address with an optional port: 192.0.2.1:7420.');
  }
  if ((cert === undefined) !== (key === undefined)) {
    return usage('--tls-cert and --tls-key must be used together.');
  }
  const tls = cert === undefined || key === undefined ? undefined : { cert, key };
  if (tls !== undefined && insecure)
    return usage('--insecure and a certificate exclude each other.');
  if (tls !== undefined || !place.isLoopback) {
    if (tls === undefined && !insecure) {
      return usage(
        `Traffic on ${place.address} can be read by others: set --tls-cert FILE and ` +
          '--tls-key FILE, or --insecure to send tokens unencrypted.',
      );
    }
    const exposure = { address: place.address, port: place.port, tls };
    return { address: undefined, port, exposure };
  }
  if (place.port !== undefined && port !== undefined) {
    return usage('--listen and --port both set a port.');
  }
  return { address: place.address, port: place.port ?? port, exposure: undefined };
}

/** Refuses a word that is no address: a typing error would make a wallet that nobody has. */
function noAddress(text: string): ReturnType<typeof usage> {
  const forms = '0x and 40 hexadecimal digits, or a form such as akash1...';
  return usage(`${text} isn't a wallet address: ${forms}. --any-address takes any text.`);
}

/** An IP address to listen on, with its port where one is given. */
interface ListenAddress {
  readonly address: string;
  readonly port: number | undefined;
  readonly isLoopback: boolean;
}

/** Parses `192.0.2.1`, `192.0.2.1:80`, `::1`, `[::1]:80` or `localhost`; undefined for others. */
function readListenAddress(text: string): ListenAddress | undefined {
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
function readNames(list: string | undefined): readonly string[] | undefined {
  const names = list === undefined ? [] : list.split(',').map((name) => name.trim().toLowerCase());
  const { isIPv6 } = process.getBuiltinModule('node:net');
  const isName = (name: string) =>
    name.length <= 253 && name.split('.').every((part) => label.test(part));
  if (!names.every((name) => isIPv6(name) || isName(name))) return undefined;
  return names.map((name) => (isIPv6(name) ? `[${name}]` : name));
}

/** Tells wallet addresses from other words that somebody typed in their place. */

const hexadecimal = /^0x[0-9a-f]{40}$/i;
/** Bech32 (BIP 173): a prefix, the separator 1, and data of which the last six are a checksum. */
const bech32 = /^(?=.{8,90}$)[a-z][a-z0-9]{0,82}1[02-9ac-hj-np-z]{6,}$/;
/** Base58, which Bitcoin, Solana and Polkadot write without 0, O, I and l. */
const base58 = /^[1-9A-HJ-NP-Za-km-z]{26,64}$/;

/** Returns whether a text has the form of a wallet address of a known chain. */
export function isWalletAddress(text: string): boolean {
  return hexadecimal.test(text) || bech32.test(text) || base58.test(text);
}

/** Flags of `hostdeck host` that limit what callers can use. */
interface LimitFlags {
  readonly minAmount: string | undefined;
  readonly maxDeployments: string | undefined;
  readonly maxServices: string | undefined;
  readonly maxInstances: string | undefined;
  readonly maxCpu: string | undefined;
  readonly maxMemory: string | undefined;
  readonly maxStorage: string | undefined;
  readonly minFree: string | undefined;
  readonly maxLogs: string | undefined;
}

const largestCount = 100_000;

/** Least value of `--min-free`, at which the records of a host stop growing. */
const leastFreeBytes = 8 * 2 ** 20;

const microsPerUnit = 1_000_000n;

/** Reads the limits that are set, or returns wrong usage. */
function readLimits(flags: LimitFlags): Partial<HostLimits> | Usage {
  const micros = flags.minAmount === undefined ? undefined : parseDecimal(flags.minAmount);
  const isAmount = micros !== undefined && micros >= 0n && micros % microsPerUnit === 0n;
  if (flags.minAmount !== undefined && !isAmount) {
    return usage('--min-amount must be 0 or more, in micro-units, with at most 12 decimals.');
  }
  const counts = [
    ['deploymentsPerWallet', '--max-deployments', flags.maxDeployments],
    ['servicesPerDeployment', '--max-services', flags.maxServices],
    ['instancesPerDeployment', '--max-instances', flags.maxInstances],
  ] as const;
  const limits: Partial<Record<Exclude<keyof HostLimits, 'minAmount'>, number>> = {};
  for (const [key, flag, text] of counts) {
    if (text === undefined) continue;
    const count = wholeNumber(text, largestCount) ?? 0;
    if (count === 0) return usage(`${flag} must be a whole number from 1 to ${largestCount}.`);
    limits[key] = count;
  }
  const sums = [
    ['cpuPerWallet', '--max-cpu', flags.maxCpu, parseCpu, 'a number of processors, like 4 or 500m'],
    ['memoryPerWallet', '--max-memory', flags.maxMemory, parseBytes, 'a size, like 512Mi or 8Gi'],
    [
      'storagePerWallet',
      '--max-storage',
      flags.maxStorage,
      parseBytes,
      'a size, like 512Mi or 8Gi',
    ],
    ['maxAllLogBytes', '--max-logs', flags.maxLogs, parseBytes, 'a size, like 512Mi or 8Gi'],
  ] as const;
  for (const [key, flag, text, parse, expected] of sums) {
    if (text === undefined) continue;
    const sum = parse(text);
    if (sum === undefined) return usage(`${flag} must be ${expected}.`);
    limits[key] = sum;
  }
  if (flags.minFree !== undefined) {
    const free = parseBytes(flags.minFree) ?? 0;
    if (free < leastFreeBytes) {
      return usage('--min-free must be a size of at least 8Mi, like 256Mi or 2Gi.');
    }
    limits.minFreeBytes = free;
  }
  return { ...limits, ...(isAmount ? { minAmount: micros / microsPerUnit } : {}) };
}
