import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { FormData, request } from 'undici';
import {
  type OperationName,
  operations,
  type RouteParameters,
  routePath,
} from '../../../source/contract/routes.ts';
import { type Host, type HostOptions, startHost } from '../../../source/host/server/serve.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Parsed where it is JSON, else text. */
  readonly body: unknown;
}

export interface CallOptions extends RouteParameters {
  readonly json?: unknown;
  readonly form?: FormData;
  /** Bytes as they are; their type is among the headers. */
  readonly bytes?: Uint8Array;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Someone who calls the host with the token of a wallet. */
export interface Caller {
  readonly wallet: string;
  readonly token: string;
  call(operation: OperationName, options?: CallOptions): Promise<Answer>;
}

export interface TemporaryHost {
  readonly dataDir: string;
  readonly host: Host;
  as(wallet: string): Caller;
  /** Ends the host and starts another one on the same folder. */
  again(options?: Partial<HostOptions>): Promise<void>;
  /** Ends the host and removes its folder. */
  remove(): Promise<void>;
}

/** Callers are other wallets than the host's own, and a machine may have no isolation for them. */
const usual = { port: 0, sample: false, graceMs: 3000, trustWallets: true } as const;

/** A host without the sample on a folder and a port of its own. */
export async function temporaryHost(options: Partial<HostOptions> = {}): Promise<TemporaryHost> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'hostdeck-host-'));
  const start = (more: Partial<HostOptions> = {}) =>
    startHost({ dataDir, ...usual, ...options, ...more });
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
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Calls whichever host there is when it does; its token is issued when it is first needed. */
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

/** One operation over real HTTP. */
export async function callHost(
  baseUrl: string,
  token: string | undefined,
  operation: OperationName,
  { json, form, bytes, query = {}, headers = {}, ...parameters }: CallOptions = {},
): Promise<Answer> {
  const url = new URL(routePath(operation, parameters), baseUrl);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  const response = await request(url, {
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
  /** Micro-units a block, for one instance. */
  readonly amount?: number | string;
}

/** An SDL of these services. */
export function sdlOf(services: Readonly<Record<string, SdlService>>, name?: string): string {
  const entries = Object.entries(services);
  const map = <T>(value: (service: SdlService, key: string) => T) =>
    Object.fromEntries(entries.map(([key, service]) => [key, value(service, key)]));
  return JSON.stringify({
    version: '2.0',
    name,
    services: map(({ command, args, env, port }) => ({
      command,
      args,
      env,
      expose: port === undefined ? undefined : [{ port, to: [{ global: true }] }],
    })),
    profiles: {
      compute: map(() => ({ resources: {} })),
      placement: { here: { pricing: map(({ amount = 0 }) => ({ denom: 'credits', amount })) } },
    },
    deployment: map(({ count = 1 }, profile) => ({ here: { profile, count } })),
  });
}

/** Ends what a test that was killed could not end. */
const lastsAtMost = 'setTimeout(() => process.exit(), 300_000).unref();';

/** A service that runs this program, for five minutes at most. */
export function nodeService(program: string, more: SdlService = {}): SdlService {
  return { command: ['node', '-e'], args: [`${lastsAtMost} ${program}`], ...more };
}

/** A service that does nothing, for longer than any test. */
export const idle: SdlService = { command: ['sleep', '300'] };

/** An upload of these files, by path. */
export function formOf(
  files: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>,
): FormData {
  const form = new FormData();
  for (const [name, content] of Object.entries(files)) {
    form.append('files', new Blob([content]), name);
  }
  return form;
}
