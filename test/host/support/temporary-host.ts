import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Agent, FormData, request } from 'undici';
import {
  type OperationName,
  operations,
  type RouteParameters,
  routePath,
} from '../../../source/contract/routes.ts';
import { defaultMachineFolder } from '../../../source/host/isolation/open-isolation.ts';
import { type Host, type HostOptions, startHost } from '../../../source/host/server/serve.ts';
import { fastFolder } from '../../support/fast-folder.ts';
import { removeMachineVolumes } from './machine-volumes.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Parsed JSON, or text. */
  readonly body: unknown;
}

export interface CallOptions extends RouteParameters {
  readonly json?: unknown;
  readonly form?: FormData;
  /** Raw bytes; the headers have their type. */
  readonly bytes?: Uint8Array;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A client that uses the token of a wallet. */
export interface Caller {
  readonly wallet: string;
  readonly token: string;
  call(operation: OperationName, options?: CallOptions): Promise<Answer>;
}

export interface TemporaryHost {
  readonly dataDir: string;
  readonly host: Host;
  as(wallet: string): Caller;
  /** Stops the host and starts another one on the same folder. */
  again(options?: Partial<HostOptions>): Promise<void>;
  /** Stops the host and removes its folder. */
  remove(): Promise<void>;
}

/**
 * Runs services as the host's own user: a host assigns no user ids in a folder that other users can write
 * to. A start with isolation, and each service of it, runs six programs more.
 */
export const withoutIsolation = { sandbox: 'off', machineFolder: tmpdir() } as const;

/** Isolates services as a host does by itself, for tests of isolation. */
export const withIsolation = { sandbox: 'auto', machineFolder: defaultMachineFolder } as const;

/**
 * Trusts all wallets, since callers are not the host's own wallet and isolation is missing. Their
 * deployments may be free.
 */
const defaults = {
  port: 0,
  sample: false,
  graceMs: 3000,
  trustWallets: true,
  ...withoutIsolation,
} as const;

const freeOfCharge = { minAmount: 0n };

/**
 * Starts a host without the sample, on a free port and a temporary folder; or on `dataDir`, which is
 * then removed with it.
 */
export async function temporaryHost(options: Partial<HostOptions> = {}): Promise<TemporaryHost> {
  const { dataDir = await mkdtemp(path.join(fastFolder, 'hostdeck-host-')) } = options;
  let hasMachineVolumes = false;
  const start = (more: Partial<HostOptions> = {}) => {
    const all = { ...defaults, ...options, ...more };
    hasMachineVolumes ||= all.machineFolder === defaultMachineFolder;
    const limits = { ...freeOfCharge, ...options.limits, ...more.limits };
    return startHost({ ...all, dataDir, limits });
  };
  let host = await start();
  return {
    dataDir,
    get host() {
      return host;
    },
    as: (wallet) => callerOf(wallet, () => host),
    async again(more) {
      await host.close();
      host = await start(more);
    },
    async remove() {
      await host.close();
      if (hasMachineVolumes) removeMachineVolumes(dataDir);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Returns a caller of the current host; its token is issued at the first call. */
export function callerOf(wallet: string, host: () => Host): Caller {
  let issued: string | undefined;
  const token = () => (issued ??= host().issueToken(wallet));
  return {
    wallet,
    get token() {
      return token();
    },
    call: (operation, options) => callHost(host().baseUrl, token(), operation, options),
  };
}

/**
 * Sends the requests of all callers. The default of the process may be the agent that Node.js has
 * built in, which never sends a form of the package.
 */
const agent = new Agent();

/** Sends one operation over HTTP. */
export async function callHost(
  baseUrl: string,
  token: string | undefined,
  operation: OperationName,
  { json, form, bytes, query = {}, headers = {}, ...parameters }: CallOptions = {},
): Promise<Answer> {
  const url = new URL(routePath(operation, parameters), baseUrl);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  const response = await request(url, {
    dispatcher: agent,
    method: operations[operation].method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body: form ?? bytes ?? (json === undefined ? undefined : JSON.stringify(json)),
  });
  const text = await response.body.text();
  const isJson = String(response.headers['content-type']).startsWith('application/json');
  return {
    status: response.statusCode,
    headers: response.headers,
    body: isJson ? JSON.parse(text) : text,
  };
}

export interface SdlService {
  readonly command?: readonly string[];
  readonly args?: readonly string[];
  readonly env?: unknown;
  readonly port?: number;
  readonly count?: number;
  /** Price of one instance in micro-units per block. */
  readonly amount?: number | string;
  readonly volumes?: Readonly<Record<string, SdlVolume>>;
}

/** A volume of a service in an SDL. */
export interface SdlVolume {
  readonly mount: string;
  readonly readOnly?: boolean;
  /** `1Gi` by default. */
  readonly size?: string;
  readonly persistent?: boolean;
  readonly class?: string;
}

/** Returns `params` of a service with these volumes. */
export function mountsOf(volumes: SdlService['volumes']): unknown {
  if (volumes === undefined) return undefined;
  const mounts = Object.entries(volumes).map(([name, { mount, readOnly }]) => [
    name,
    { mount, readOnly },
  ]);
  return { storage: Object.fromEntries(mounts) as unknown };
}

/** Returns `resources.storage` of a profile with these volumes. */
export function storageOf(volumes: SdlService['volumes']): unknown {
  return Object.entries(volumes ?? {}).map(
    ([name, { size = '1Gi', persistent, class: storageClass }]) => ({
      name,
      size,
      attributes: { persistent, class: storageClass },
    }),
  );
}

/** Returns an SDL with these services. */
export function sdlOf(services: Readonly<Record<string, SdlService>>, name?: string): string {
  const entries = Object.entries(services);
  const map = <T>(value: (service: SdlService, key: string) => T) =>
    Object.fromEntries(entries.map(([key, service]) => [key, value(service, key)]));
  return JSON.stringify({
    version: '2.0',
    name,
    services: map(({ command, args, env, port, volumes }) => ({
      params: mountsOf(volumes),
      command,
      args,
      env,
      expose: port === undefined ? undefined : [{ port, to: [{ global: true }] }],
    })),
    profiles: {
      compute: map(({ volumes }) => ({
        resources: volumes === undefined ? {} : { storage: storageOf(volumes) },
      })),
      placement: { here: { pricing: map(({ amount = 0 }) => ({ denom: 'credits', amount })) } },
    },
    deployment: map(({ count = 1 }, profile) => ({ here: { profile, count } })),
  });
}

/** Statement that ends a service which a killed test did not stop. */
const exitTimer = 'setTimeout(() => process.exit(), 300_000).unref();';

/** Returns a service that runs a Node program, for five minutes at most. */
export function nodeService(program: string, more: SdlService = {}): SdlService {
  return { command: ['node', '-e'], args: [`${exitTimer} ${program}`], ...more };
}

/** A service that sleeps for longer than any test. */
export const idle: SdlService = { command: ['sleep', '300'] };

/** Returns an upload of files, by path. */
export function formOf(
  files: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>,
): FormData {
  const form = new FormData();
  for (const [name, content] of Object.entries(files)) {
    form.append('files', new Blob([content]), name);
  }
  return form;
}
