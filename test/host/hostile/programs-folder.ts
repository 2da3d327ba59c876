import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import { bundledProgram } from '../../support/bundled-program.ts';
import { ordinaryId } from './configurations.ts';

const here = import.meta.dirname;

export interface Programs extends Disposable {
  readonly folder: string;
  readonly node: string;
  readonly host: string;
  /** The text of the hostile service, for `node --input-type=module -e`. */
  readonly hostile: string;
  /** A setuid program that prints its user id; undefined when the test can't create one. */
  readonly rootProgram: string | undefined;
}

/**
 * Bundles the hostile service, and copies the host and Node into a folder that every user can
 * read. Other users may have no access to the folders of the repository and of Node.
 */
export async function makePrograms(): Promise<Programs> {
  const folder = mkdtempSync('/tmp/hostdeck-programs-');
  chmodSync(folder, 0o755);
  const node = path.join(folder, 'bin', 'node');
  mkdirSync(path.dirname(node));
  copyFileSync(process.execPath, node);
  chmodSync(node, 0o755);
  const host = await bundledProgram('test/host/hostile/host-program.ts');
  const outdir = path.join(folder, 'host');
  cpSync(path.dirname(host), outdir, { recursive: true });
  const hostile = await build({
    bundle: true,
    platform: 'node',
    target: 'node24',
    logLevel: 'error',
    format: 'esm',
    minify: true,
    write: false,
    entryPoints: [path.join(here, 'service', 'hostile.ts')],
  });
  return {
    folder,
    node,
    host: path.join(outdir, path.basename(host)),
    hostile: hostile.outputFiles[0]?.text ?? '',
    rootProgram: makeRootProgram(path.dirname(node)),
    [Symbol.dispose]() {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function makeRootProgram(folder: string): string | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const file = path.join(folder, 'id');
  copyFileSync('/usr/bin/id', file);
  chmodSync(file, 0o4755);
  // The bit has no effect on a file system that is mounted with nosuid.
  const userId = execFileSync(file, ['-u'], { encoding: 'utf8', uid: ordinaryId, gid: ordinaryId });
  return userId.trim() === '0' ? file : undefined;
}
