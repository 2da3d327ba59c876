import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { deploy, fieldOf } from '../host/support/bodies.ts';
import { idle, sdlOf, temporaryHost } from '../host/support/temporary-host.ts';
import { type Foreign, startForeign } from '../servers/foreign.ts';
import { type MeddlingProxy, startMeddlingProxy } from '../servers/meddling-proxy.ts';
import { here } from './console-here.ts';
import { createDeployment } from './foreign-console.ts';
import { Home } from './harness-home.ts';
import { launch, type Session } from './harness.ts';

/** The address that the person of the walks has in their address book as Dana. */
export const dana = '0x12ab34cd56ef78ab90cd12ef34ab56cd78ef9f3c';
const me = '0x9f000000000000000000000000000000000000a1';

interface Lending {
  readonly limit: number;
  /** Ms from now. */
  readonly ends: number;
}

/** A service that a walk is done on, and those who use it besides the person. */
export interface Service {
  readonly baseUrl: string;
  readonly token: string;
  readonly wallet: string;
  /** Makes a deployment of the person's that comes before others in the list. */
  deploy(name: string): Promise<void>;
  /** The person lends to Dana, or Dana to the person, who has used some of it when this is done. */
  give(lending: Lending): Promise<void>;
  receive(lending: Lending): Promise<void>;
  /** Dana spends all that was lent. */
  spendAll(): Promise<void>;
  close(): Promise<void>;
}

async function ownHost(): Promise<Service> {
  const temporary = await temporaryHost();
  const [mine, hers] = [temporary.as(me), temporary.as(dana)];
  const lend = async (from: typeof mine, grantee: string, { limit, ends }: Lending) => {
    const json = { grantee, limit, expires_at: new Date(Date.now() + ends).toISOString() };
    fieldOf(await from.call('createGrant', { json }), 'grant');
  };
  return {
    baseUrl: temporary.host.baseUrl,
    token: mine.token,
    wallet: me,
    async deploy(name) {
      await deploy(mine, sdlOf({ web: { ...idle, amount: 1_200_000 } }, name));
    },
    give: (lending) => lend(mine, dana, lending),
    receive: (lending) => lend(hers, me, lending),
    async spendAll() {
      await deploy(hers, sdlOf({ web: { ...idle, amount: 60_000_000 } }, 'bot'));
    },
    close: () => temporary.remove(),
  };
}

async function foreignService(): Promise<Service> {
  const foreign = await startForeign();
  const lend = (grantor: string, grantee: string, { limit, ends }: Lending, spent: number) => {
    const id = `grant-${foreign.grants.size}`;
    const createdAt = new Date().toISOString();
    const expiresAt = new Date(Date.now() + ends).toISOString();
    foreign.grants.set(id, { id, grantor, grantee, limit, spent, createdAt, expiresAt });
  };
  return {
    baseUrl: foreign.baseUrl,
    token: foreign.token,
    wallet: foreign.wallet,
    deploy: (name) => deployAbove(foreign, name),
    give: async (lending) => lend(foreign.wallet, dana, lending, 0),
    receive: async (lending) => lend(dana, foreign.wallet, lending, 0.5),
    async spendAll() {
      for (const grant of foreign.grants.values()) {
        if (grant.grantee === dana) grant.spent = grant.limit;
      }
    },
    close: () => foreign.close(),
  };
}

/** This service lists the oldest first; here the newest comes before. */
async function deployAbove(foreign: Foreign, name: string): Promise<void> {
  const all = foreign.deployments as Map<string, unknown>;
  const before = [...all];
  await createDeployment(foreign, name);
  for (const [id, deployment] of before) {
    all.delete(id);
    all.set(id, deployment);
  }
}

export const grounds = { 'our host': ownHost, 'a foreign service': foreignService } as const;

/** A console in a terminal on a service, all requests counted between the two. */
export interface Ground extends AsyncDisposable {
  readonly session: Session;
  readonly service: Service;
  readonly proxy: MeddlingProxy;
}

/** Starts all three; `prepare` runs before the console is there. */
export async function openGround(
  name: keyof typeof grounds,
  prepare: (service: Service) => Promise<void> = async () => {},
): Promise<Ground> {
  const service = await grounds[name]();
  await prepare(service);
  const proxy = await startMeddlingProxy(service.baseUrl);
  const home = new Home();
  const folder = path.join(home.folder, 'config', 'hostdeck');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'addresses.json'), JSON.stringify({ Dana: dana }));
  const session = launch({
    run: here,
    home,
    env: {
      HOSTDECK_BASE_URL: proxy.baseUrl,
      HOSTDECK_TOKEN: service.token,
      HOSTDECK_WALLET: service.wallet,
    },
  });
  return {
    session,
    service,
    proxy,
    async [Symbol.asyncDispose]() {
      await session.close();
      home.remove();
      await proxy.close();
      await service.close();
    },
  };
}
