import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import {
  type Configured,
  type Folders,
  isProduction,
  type StreamAuth,
  type ServiceTarget,
} from '../config/config.ts';
import type { JoinedHost, JoinResult } from '../host/join.ts';
import type { Profile } from '../store/deck/deck.ts';

/** A service that can be talked to. */
export interface ServiceConnection {
  readonly baseUrl: string;
  readonly token: string;
  readonly streamAuth: StreamAuth;
  readonly profile: Profile;
  /**
   * Tells it from other services in what is kept on this machine: its address, or the data folder of
   * the host here, whose port is another one after each start.
   */
  readonly keptAs: string;
  /** Lets go of it: the host on this machine ends when nobody else uses it. */
  leave(): void;
}

/** Hosts of older versions don't say what they run; all took commands, unless told otherwise. */
const ofOlderHosts: Profile['workloads'] = ['command'];

/**
 * The service of the target: the one named, or the host on this machine, started when none runs.
 * @param entry the program's own file, for starting the host.
 */
export async function reachService(
  target: ServiceTarget,
  folders: Folders,
  entry: string,
): Promise<Configured<ServiceConnection>> {
  if (target.kind === 'local') return reachLocalHost(folders.data, entry);
  const { baseUrl, token, wallet, streamAuth } = target;
  const { host } = new URL(baseUrl);
  const name = target.profile ?? host;
  const profile = { name, production: isProduction(name), host, wallet };
  const keptAs = baseUrl;
  return { ok: true, value: { baseUrl, token, streamAuth, profile, keptAs, leave() {} } };
}

async function reachLocalHost(data: string, entry: string): Promise<Configured<ServiceConnection>> {
  const { joinHost } = await import('../host/join.ts');
  const first = await joinHost({ dataDir: data, spawn: () => spawnHost(entry, data) });
  if (!first.ok) return { ok: false, problem: first.error };
  const { baseUrl, token, wallet, workloads = ofOlderHosts } = first.value;
  const { host, port } = new URL(baseUrl);
  const leave = stayJoined(first.value, () =>
    joinHost({ dataDir: data, spawn: () => spawnHost(entry, data, port) }),
  );
  const profile = { name: 'local', production: false, host, wallet, workloads };
  const keptAs = path.resolve(data);
  return { ok: true, value: { baseUrl, token, streamAuth: 'header', profile, keptAs, leave } };
}

/** Milliseconds between two tries to start a host that does not start. */
const rejoinAfter = 5000;

/**
 * Starts a host anew, on the same port, whenever it is lost: nobody else would, and its deployments
 * are down with it. Returns how to leave it for good.
 */
function stayJoined(joined: JoinedHost, join: () => Promise<JoinResult>): () => void {
  let current = joined;
  let left = false;
  let timer: NodeJS.Timeout | undefined;

  async function rejoin(): Promise<void> {
    if (left) return;
    const result = await join();
    if (!result.ok) {
      timer = setTimeout(() => void rejoin(), rejoinAfter);
      return;
    }
    current = result.value;
    if (left) current.leave();
    else void current.lost.then(rejoin);
  }

  void joined.lost.then(rejoin);
  return () => {
    left = true;
    clearTimeout(timer);
    current.leave();
  };
}

/** A host in a session of its own: the hangup of this terminal is not its. */
function spawnHost(entry: string, data: string, port?: string): void {
  // Loaded here: most starts find a host that runs.
  const { spawn } = process.getBuiltinModule('node:child_process');
  const log = openSync(path.join(data, 'host.log'), 'a', 0o600);
  const args = [entry, 'host', '--leased', '--data', data];
  const host = spawn(process.execPath, port === undefined ? args : [...args, '--port', port], {
    detached: true,
    stdio: ['ignore', log, log],
  });
  // That it could not be started is seen by its not answering.
  host.on('error', () => {});
  host.unref();
  closeSync(log);
}
