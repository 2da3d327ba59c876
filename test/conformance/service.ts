import { afterAll, vi } from 'vitest';
import { servicesOfSdl } from '../../source/client/decode/sdl.ts';
import type { StreamAuthMode } from '../../source/client/stream/log-stream.ts';
import { temporaryHost } from '../host/support/temporary-host.ts';
import { type Answer, Caller } from './caller.ts';
import { deploymentIn, done } from './reading.ts';
import { foreignTarget } from './target.ts';
import { waitFor } from '../support/wait-for.ts';

/** A service that is asked. */
export interface ServiceUnderTest {
  readonly baseUrl: string;
  readonly streamAuth: StreamAuthMode;
  /** Address that grants are given to; nobody spends from them. */
  readonly grantee: string;
  readonly owner: Caller;
  /** Of a second wallet; only where there is one. */
  readonly second: Caller;
  /** Another wallet of this address and balance; only of our own host. */
  wallet(address: string, balance?: string): Caller;
  /** Sets a balance, or only reads it. */
  balance(address: string, balance?: string): string;
  /** Takes a step after the file's last test, so that nothing of the suite stays. */
  atEnd(step: () => Promise<unknown>): void;
}

/** How long something may take that the contract gives no time for. */
const patience = foreignTarget === undefined ? 15_000 : 120_000;

/** The service that the suite was told of, else a host that lives as long as the test file. */
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

/** Waits until this throws no more, and gives what it gives. */
export async function eventually<T>(look: () => Promise<T> | T): Promise<T> {
  const interval = (foreignTarget?.isOurs ?? true) ? 20 : 500;
  return await waitFor(look, { timeout: patience, interval });
}

export interface MadeDeployment {
  readonly id: string;
  /** Its services by name, in the order of the definition. */
  readonly names: readonly string[];
  /** Its first service, as the routes of files name it. */
  readonly place: { readonly id: string; readonly name: string };
  readonly created: Answer;
}

/** Micro-units a block of 6 s at which an instance costs 1 a second on our host. */
export const onePerSecond = 6_000_000;

/**
 * Makes a deployment of these Node programs, or of the definition that the suite was told to use
 * instead, and closes it after the file's last test.
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
  const names = servicesOfSdl(sdl).map(({ name }) => name);
  return { id, names, place: { id, name: names[0] ?? '' }, created };
}

/** A definition of these Node programs, or the one that the suite was told to use instead. */
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
      // Other services run nothing without one; our host runs the command as a process.
      ...(foreignTarget === undefined ? {} : { image: 'node:24' }),
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

/** A program that does nothing for as long as it is let. */
export const idle = 'setInterval(() => {}, 1000)';

/** A program that writes these lines and stays. */
export const printing = (lines: readonly string[]) =>
  `for (const line of ${JSON.stringify(lines)}) console.log(line); ${idle}`;
