import { findProgram } from '../../../source/host/isolation/programs.ts';
import type { HostOptions } from '../../../source/host/server/serve.ts';
import { withIsolation, withoutIsolation } from '../support/temporary-host.ts';

/** A kind of isolation, which decides where the volumes of processes are. */
export interface VolumeHost {
  readonly name: string;
  readonly options: Partial<HostOptions>;
  /** Matches the first log line of a run. */
  readonly isolation: RegExp;
  /** True when services see volumes at their mount. */
  readonly mounts: boolean;
}

const isRoot = process.getuid?.() === 0;
const hasBubblewrap = findProgram('bwrap', process.env['PATH']) !== undefined;
const hasSetpriv = findProgram('setpriv', process.env['PATH']) !== undefined;

const sandboxed: VolumeHost = {
  name: 'in a sandbox',
  options: { ...withIsolation, sandbox: 'require' },
  isolation: /^isolation: bubblewrap/,
  mounts: true,
};

const otherUser: VolumeHost = {
  name: 'as a user of its own',
  options: { ...withIsolation, sandbox: 'off' },
  isolation: /^isolation: user id/,
  mounts: false,
};

export const bare: VolumeHost = {
  name: 'without isolation',
  options: withoutIsolation,
  isolation: /^isolation: none/,
  mounts: false,
};

/** The kinds of hosts that this machine can run. */
export const volumeHosts: readonly VolumeHost[] = [
  ...(hasBubblewrap ? [sandboxed] : []),
  ...(isRoot && hasSetpriv ? [otherUser] : []),
  bare,
];

if (volumeHosts.length < 3) {
  process.stderr.write('Tests of volumes are SKIPPED in part: bubblewrap or root is missing.\n');
}
