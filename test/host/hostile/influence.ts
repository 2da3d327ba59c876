import { chmodSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { readLogs } from '../support/bodies.ts';
import { nodeService } from '../support/temporary-host.ts';
import type { RunningHost } from './running-host.ts';
import { close, deployService, linesWith } from './hostile-services.ts';

/** Programs that a host might run before a service, and the service's own. */
const tools =
  'bash bwrap cat chmod chown dash echo env id mkdir node printf prlimit rm setpriv sh sleep test true';

/** Creates programs and libraries in its folder, crashes, and finds them after its restart. */
const script = `
  if [ -e made ]; then sleep 0; echo again; exec /usr/bin/sleep 120; fi
  for tool in ${tools}; do
    /usr/bin/printf '#!/bin/sh\\n: > "$PROOFS/tool-'$tool'-$$"\\nexec /usr/bin/%s "$@"\\n' $tool > $tool
    /usr/bin/chmod +x $tool
  done
  /usr/bin/printf ': > "$PROOFS/hook-$$"\\n' > hook
  /usr/bin/printf 'require("fs").writeFileSync(process.env.PROOFS + "/hook", "")' > hook.cjs
  echo 'no library' > evil.so
  : > made
  exit 1`;

export function testInfluence(running: () => RunningHost): void {
  let proofs: string;

  beforeEach(() => {
    proofs = path.join(running().host.folder, 'proofs');
    rmSync(proofs, { recursive: true, force: true });
    mkdirSync(proofs);
    // Every user can write here, so a file's owner shows which user created it.
    chmodSync(proofs, 0o1777);
  });

  it('cannot pass its variables to a program with the rights of the host', async () => {
    const { configuration, host } = running();
    const env = [
      'PATH=.:/usr/bin:/bin',
      'LD_PRELOAD=./evil.so',
      'LD_AUDIT=./evil.so',
      'LD_LIBRARY_PATH=.',
      'LD_DEBUG=libs',
      `LD_DEBUG_OUTPUT=${proofs}/loader`,
      'BASH_ENV=./hook',
      'ENV=./hook',
      'NODE_OPTIONS=--require ./hook.cjs',
      'HOSTDECK_V0=PATH=.',
      'HOSTDECK_RUN=another',
      'IFS=/',
      'SHELLOPTS=xtrace',
      `PROOFS=${proofs}`,
    ];
    const id = await deployService(host.owner, { command: ['/bin/sh', '-c', script], env });
    const lines = await linesWith(host.owner, id, 'again');
    const user = Number(/user id (\d+)/.exec(lines[0] ?? '')?.[1]);
    const owners = readdirSync(proofs).map((name) => statSync(path.join(proofs, name)).uid);
    // A sandbox doesn't have the folder, so any file in it was created outside.
    if (configuration.sandbox === 'require') expect(readdirSync(proofs)).toEqual([]);
    else expect(new Set(owners)).toEqual(new Set([user]));
    // The variables do affect the service itself.
    const loader = lines.filter((line) => line.includes('evil.so') && line.includes('ld.so'));
    if (configuration.sandbox === 'require') expect(loader).not.toEqual([]);
    await close(host.owner, id);
  });

  it('cannot write other lines than its own output', async () => {
    const { host } = running();
    const texts = [
      '\u001b]0;title\u0007\u001b[2J',
      'nul \0 nul',
      '{"type":"log"}',
      'isolation: none',
    ];
    const program = `
      for (const text of ${JSON.stringify(texts)}) console.log(text);
      process.stdout.write('x'.repeat(4 * 1024 * 1024) + '\\n');
      process.stdout.write(Buffer.from([0xff, 0xfe, 0x0a]));
      console.error('hostile to the end');
      console.log('written'); setInterval(() => {}, 1000);`;
    const id = await deployService(host.owner, nodeService(program));
    await linesWith(host.owner, id, 'written');
    const logs = await readLogs(host.owner, id);
    expect(logs.map((log) => log.logLine)).toEqual(expect.arrayContaining(texts));
    // The host's own lines have the stream `system`.
    const outputLines = logs.filter((log) => log.stream === 'stdout').map((log) => log.logLine);
    expect(outputLines).toContain('isolation: none');
    expect(outputLines).not.toContain('started');
    expect(host.written).not.toContain('hostile to the end');
    expect(host.written).not.toContain('\u001b');
    await close(host.owner, id);
  });
}
