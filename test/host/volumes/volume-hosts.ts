import { tmpdir } from 'node:os';
import { findProgram } from '../../../source/host/isolation/programs.ts';
import type { HostOptions } from '../../../source/host/server/serve.ts';

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
  options: { sandbox: 'require' },
  isolation: /^isolation: bubblewrap/,
  mounts: true,
};

const otherUser: VolumeHost = {
  name: 'as a user of its own',
  options: { sandbox: 'off' },
  isolation: /^isolation: user id/,
  mounts: false,
};

export const bare: VolumeHost = {
  name: 'without isolation',
  // A host of root assigns no user ids in a folder that other users can write to.
  options: { sandbox: 'off', machineFolder: tmpdir() },
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
