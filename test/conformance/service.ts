import { afterAll, vi } from 'vitest';
import { readSdlServices } from '../../source/client/decode/sdl.ts';
import type { StreamAuthMode } from '../../source/client/stream/log-stream.ts';
import { temporaryHost } from '../host/support/temporary-host.ts';
import { type Answer, Caller } from './caller.ts';
import { deploymentIn, done } from './reading.ts';
import { foreignTarget } from './target.ts';
import { patience as usualPatience, waitFor } from '../support/wait-for.ts';

/** A service under test. */
export interface ServiceUnderTest {
  readonly baseUrl: string;
  readonly streamAuth: StreamAuthMode;
  /** Address of the grantee; nobody spends from the grants. */
  readonly grantee: string;
  readonly owner: Caller;
  /** Token of a second wallet, if there is one. */
  readonly second: Caller;
  /** Creates another wallet with this address and balance; only on hostdeck's own host. */
  wallet(address: string, balance?: string): Caller;
  /** Sets a balance, or reads it without an argument. */
  balance(address: string, balance?: string): string;
  /** Runs a step after the file's last test, to clean up. */
  atEnd(step: () => Promise<unknown>): void;
}

/** Time limit for effects without a time in the contract. */
const patience = foreignTarget === undefined ? usualPatience : 120_000;

/** Returns the external service, or a host that runs as long as the test file. */
export async function serviceUnderTest(): Promise<ServiceUnderTest> {
  const steps: (() => Promise<unknown>)[] = [];
  afterAll(async () => {
    for (let step = steps.pop(); step !== undefined; step = steps.pop()) await step();
  });
  const atEnd = (step: () => Promise<unknown>) => {
    steps.push(step);
  };
  if (foreignTarget !== undefined) {
    const { baseUrl, token, secondToken, pathForm, streamAuth, grantee } = foreignTarget;
    vi.setConfig({ testTimeout: 2 * patience, hookTimeout: 2 * patience });
    const owner = new Caller({ baseUrl, pathForm }, token);
    const none = () => {
      throw new Error('a foreign service has no wallets to set');
    };
    const second = owner.with(secondToken);
    return { baseUrl, streamAuth, grantee, owner, second, wallet: none, balance: none, atEnd };
  }
  const temporary = await temporaryHost();
  atEnd(() => temporary.remove());
  const { host } = temporary;
  const place = { baseUrl: host.baseUrl, pathForm: 'segments' } as const;
  const callerOf = (address: string) => new Caller(place, host.issueToken(address));
  return {
    baseUrl: host.baseUrl,
    streamAuth: 'header',
    grantee: '0xgrantee',
    owner: callerOf('0xowner'),
    second: callerOf('0xsecond'),
    wallet(address, balance = '1000') {
      host.balance(address, balance);
      return callerOf(address);
    },
    balance: (address, balance) => host.balance(address, balance),
    atEnd,
  };
}

/** Retries until `attempt` stops throwing; resolves with its result. */
export async function eventually<T>(look: () => Promise<T> | T): Promise<T> {
  const interval = (foreignTarget?.isOurs ?? true) ? 20 : 500;
  return await waitFor(look, { timeout: patience, interval });
}

export interface MadeDeployment {
  readonly id: string;
  /** Names of the services, in the order of the definition. */
  readonly names: readonly string[];
  /** Route parameters of the first service. */
  readonly place: { readonly id: string; readonly name: string };
  readonly created: Answer;
}

/** Micro-units per block of 6 s at which an instance costs 1 a second on hostdeck's host. */
export const onePerSecond = 6_000_000;

/**
 * Creates a deployment of these Node programs, or of the definition that the suite was configured
 * with, and closes it after the file's last test.
 */
export async function deploy(
  service: ServiceUnderTest,
  programs: Readonly<Record<string, string>>,
  { caller = service.owner, price = 0 }: { readonly caller?: Caller; readonly price?: number } = {},
): Promise<MadeDeployment> {
  const sdl = definitionOf(programs, price);
  const created = done(await caller.call('createDeployment', { json: { sdl } }));
  const { id } = deploymentIn(created).value;
  service.atEnd(() => caller.call('closeDeployment', { id }));
  const names = readSdlServices(sdl).map(({ name }) => name);
  return { id, names, place: { id, name: names[0] ?? '' }, created };
}

/** Returns a definition of these Node programs, or the configured one. */
export function definitionOf(programs: Readonly<Record<string, string>>, price = 0): string {
  return foreignTarget?.sdl ?? sdlOf(programs, price);
}

function sdlOf(programs: Readonly<Record<string, string>>, price: number): string {
  const map = <T>(value: (program: string, name: string) => T) =>
    Object.fromEntries(Object.entries(programs).map(([name, text]) => [name, value(text, name)]));
  const resources = {
    cpu: { units: 0.25 },
    memory: { size: '128Mi' },
    storage: { size: '256Mi' },
  };
  return JSON.stringify({
    version: '2.0',
    services: map((program) => ({
      // Other services require an image; hostdeck's host runs the command as a process.
      ...(foreignTarget === undefined ? {} : { image: foreignTarget.image }),
      command: ['node', '-e'],
      args: [program],
      expose: [{ port: 8080, to: [{ global: true }] }],
    })),
    profiles: {
      compute: map(() => ({ resources })),
      placement: { here: { pricing: map(() => ({ denom: 'credits', amount: price })) } },
    },
    deployment: map((_, profile) => ({ here: { profile, count: 1 } })),
  });
}

/** A program that waits forever. */
export const idle = 'setInterval(() => {}, 1000)';

/** Returns a program that writes these lines and then waits. */
export const printing = (lines: readonly string[]) =>
  `for (const line of ${JSON.stringify(lines)}) console.log(line); ${idle}`;
