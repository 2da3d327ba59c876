import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { type Configured, type Folders, type StreamAuth } from '../config/environment.ts';
import type { ServiceTarget } from '../config/service-target.ts';
import type { JoinedHost, JoinResult } from '../host/join.ts';
import type { Profile } from '../store/deck/profile.ts';
import { lazyPart } from '../system/lazy-part.ts';

const hostJoin = lazyPart(() => import('../host/join.ts'));

/** A service that the program is connected to, and how to leave it. */
export interface ServiceConnection {
  readonly baseUrl: string;
  readonly token: string;
  readonly streamAuth: StreamAuth;
  readonly profile: Profile;
  /** True for a profile that the console must not write to. */
  readonly readOnly: boolean;
  /** File that the profile reads its token from. */
  readonly tokenFile?: string | undefined;
  /**
   * Identifies the service in local state: its base URL, or the data folder of the host on this
   * machine, whose port changes with every start.
   */
  readonly stateKey: string;
  /** Sentence about a setting that has no effect. */
  readonly notice?: string | undefined;
  /** Resolves with true when the service ends after `leave`, since no other console needs it. */
  endsAfterLeave?(): Promise<boolean>;
  /** Leaves the service: the host on this machine ends when the last console has left. */
  leave(): void;
}

/** Hosts of older versions don't tell which kinds of services they run; commands were the default. */
const workloadsOfOlderHosts: Profile['workloads'] = ['command'];

/**
 * Connects to a remote service, or to the host on this machine, which it starts when none runs.
 * @param entry path of the program, to start the host with.
 * @param onHostStart called when the host is started.
 */
export async function reachService(
  target: ServiceTarget,
  folders: Folders,
  entry: string,
  onHostStart?: () => void,
): Promise<Configured<ServiceConnection>> {
  if (target.kind === 'local') {
    const local = await reachLocalHost(folders.data, entry, onHostStart);
    return local.ok ? { ok: true, value: { ...local.value, notice: target.notice } } : local;
  }
  const { baseUrl, token, tokenFile, source, colour, wallet, streamAuth, readOnly } = target;
  const { host } = new URL(baseUrl);
  const profile: Profile = {
    name: target.name ?? host,
    production: colour === 'red',
    colour: colour === 'red' ? undefined : colour,
    host,
    wallet,
    tokenSource: source,
  };
  const stateKey = baseUrl;
  const leave = () => {};
  return {
    ok: true,
    value: {
      baseUrl,
      token,
      tokenFile,
      streamAuth,
      profile,
      readOnly,
      stateKey,
      notice: target.notice,
      leave,
    },
  };
}

async function reachLocalHost(
  data: string,
  entry: string,
  onHostStart: (() => void) | undefined,
): Promise<Configured<ServiceConnection>> {
  const { joinHost } = await hostJoin();
  let isHostNew = false;
  const start = () => {
    isHostNew = true;
    onHostStart?.();
    return spawnHost(entry, data);
  };
  const first = await joinHost({ dataDir: data, spawn: start });
  if (!first.ok) return { ok: false, problem: first.error };
  const { baseUrl, token, wallet, workloads = workloadsOfOlderHosts } = first.value;
  const { host, port } = new URL(baseUrl);
  const stay = stayJoined(first.value, () =>
    joinHost({ dataDir: data, spawn: () => spawnHost(entry, data, port) }),
  );
  const profile = { name: 'local', production: false, host, wallet, workloads, isHostNew };
  const stateKey = path.resolve(data);
  const readOnly = false;
  return {
    ok: true,
    value: { baseUrl, token, streamAuth: 'header', profile, readOnly, stateKey, ...stay },
  };
}

/** Milliseconds between two attempts to start a host. */
const rejoinDelay = 5000;

/**
 * Restarts the host on the same port whenever it is lost, because its deployments are down with it,
 * until `leave` leaves it for good.
 */
function stayJoined(
  joined: JoinedHost,
  join: () => Promise<JoinResult>,
): Required<Pick<ServiceConnection, 'leave' | 'endsAfterLeave'>> {
  let current = joined;
  let hasLeft = false;
  let timer: NodeJS.Timeout | undefined;

  async function rejoin(): Promise<void> {
    if (hasLeft) return;
    const result = await join();
    if (!result.ok) {
      timer = setTimeout(() => void rejoin(), rejoinDelay);
      return;
    }
    current = result.value;
    if (hasLeft) current.release();
    else void current.disconnected.then(rejoin);
  }

  void joined.disconnected.then(rejoin);
  return {
    endsAfterLeave: () => current.isLastLease(),
    leave() {
      hasLeft = true;
      clearTimeout(timer);
      current.release();
    },
  };
}

/** Starts a host in a session of its own, so that closing this terminal doesn't end it. */
function spawnHost(entry: string, data: string, port?: string): ChildProcess {
  // Loaded on demand: most starts find a running host.
  const { spawn } = process.getBuiltinModule('node:child_process');
  const log = openSync(path.join(data, 'host.log'), 'a', 0o600);
  const args = [entry, 'host', '--leased', '--data', data];
  const host = spawn(process.execPath, port === undefined ? args : [...args, '--port', port], {
    detached: true,
    stdio: ['ignore', log, log],
  });
  // If the host fails to start, the attempt to join it reports that.
  host.on('error', () => {});
  host.unref();
  closeSync(log);
  return host;
}
