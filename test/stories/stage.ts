/** Services on which the stories are played: our host, and a foreign one. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { startSurvivingHost } from '../faults/surviving-host.ts';
import { callHost, formOf } from '../host/support/temporary-host.ts';
import { startHarbour } from '../servers/harbour.ts';
import { shopCommand, shopFiles, type ShopPorts } from './shop-program.ts';
import type { StageName } from './story.ts';

/** A deployment `shop` with one service `web`, whose program runs. */
export interface Stage extends AsyncDisposable {
  readonly baseUrl: string;
  readonly token: string;
  readonly ports: ShopPorts;
  /** Resolves with a file as the service has it. */
  stored(file: string): Promise<string>;
  /** Writes a file, and restarts, as somebody else does. */
  write(file: string, content: string): Promise<void>;
  restart(): Promise<void>;
}

/** Opens the stage of a story. */
export async function openStage(name: StageName): Promise<Stage> {
  const ledger = createServer((socket) => socket.resume());
  const ports = { ledger: await portOf(ledger), web: await freePort(), closed: 1 };
  const stage = await (name === 'host' ? openHost(ports) : openHarbour(ports, name === 'harbour'));
  return {
    ...stage,
    async [Symbol.asyncDispose]() {
      await stage[Symbol.asyncDispose]();
      ledger.close();
    },
  };
}

async function openHost(ports: ShopPorts): Promise<Stage> {
  const host = await startSurvivingHost();
  // Its files come after it was created.
  const wait = `while [ ! -f ${shopCommand[1]} ]; do sleep 0.2; done; exec ${shopCommand.join(' ')}`;
  const shop = await host.open({ command: ['sh', '-c', wait] });
  const { id } = shop;
  const target = { id, name: 'web' };
  await shop.call('uploadFiles', { ...target, form: formOf(shopFiles(ports)) });
  return {
    baseUrl: host.baseUrl,
    token: shop.token,
    ports,
    async stored(path) {
      const headers = { accept: 'application/octet-stream' };
      return String((await shop.call('getFile', { ...target, path, headers })).body);
    },
    async write(path, content) {
      await shop.call('updateFile', { ...target, path, json: { content } });
    },
    async restart() {
      await shop.call('restartDeployment', { id });
    },
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  };
}

async function openHarbour(ports: ShopPorts, tellsStarts: boolean): Promise<Stage> {
  const files = shopFiles(ports);
  const command = [process.execPath, shopCommand[1]] as const;
  const harbour = await startHarbour({
    name: 'shop',
    service: 'web',
    command,
    files,
    tellsStarts,
  });
  const { baseUrl, token, deployment: id } = harbour;
  const target = { id, name: 'web' };
  return {
    baseUrl,
    token,
    ports,
    async stored(path) {
      return String((await callHost(baseUrl, token, 'getFile', { ...target, path })).body);
    },
    async write(path, content) {
      await callHost(baseUrl, token, 'updateFile', { ...target, path, json: { content } });
    },
    async restart() {
      await callHost(baseUrl, token, 'restartDeployment', { id });
    },
    [Symbol.asyncDispose]: () => harbour[Symbol.asyncDispose](),
  };
}

async function portOf(server: Server, wanted = 0): Promise<number> {
  server.listen(wanted, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** The last port that was given out, below those that systems give to connections. */
let lastPort = 20_000 + (process.pid % 10_000);

/** Returns a port that is free, and that nothing takes until the program does. */
async function freePort(): Promise<number> {
  for (;;) {
    lastPort += 1;
    const server = createServer();
    const port = await portOf(server, lastPort).catch(() => undefined);
    if (port === undefined) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
