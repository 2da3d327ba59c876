/**
 * `npm run archive`: writes hostdeck-linux-x64.tar.gz and hostdeck-linux-arm64.tar.gz into the folder
 * `archives`: the program, the Node it is tested with, and a launcher. A machine without Node runs it.
 * `npm run archive -- --arch x64` writes one of them. With SOURCE_DATE_EPOCH, which dates the man page,
 * the same sources make the same bytes.
 */
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import nodePackage from 'node/package.json' with { type: 'json' };
import { cacheFolder, nodeFolder, run } from './node-download.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const architectures = ['x64', 'arm64'] as const;
type Architecture = (typeof architectures)[number];

/** Writes the archive of an architecture and returns its path. */
function writeArchive(architecture: Architecture, target: string): string {
  const name = `hostdeck-linux-${architecture}`;
  const node = nodeFolder(`linux-${architecture}`, nodePackage.version);
  mkdirSync(cacheFolder, { recursive: true });
  const work = mkdtempSync(path.join(cacheFolder, 'archive-'));
  try {
    const folder = path.join(work, name);
    for (const each of ['bin', 'lib/node/bin']) {
      mkdirSync(path.join(folder, each), { recursive: true });
    }
    copyFileSync(path.join(import.meta.dirname, 'launcher.sh'), path.join(folder, 'bin/hostdeck'));
    chmodSync(path.join(folder, 'bin/hostdeck'), 0o755);
    copyFileSync(path.join(node, 'bin/node'), path.join(folder, 'lib/node/bin/node'));
    chmodSync(path.join(folder, 'lib/node/bin/node'), 0o755);
    copyFileSync(path.join(node, 'LICENSE'), path.join(folder, 'lib/node/LICENSE'));
    cpSync(path.join(root, 'dist'), path.join(folder, 'dist'), {
      recursive: true,
      filter: (file) => !/\.map$|\.built$/.test(file),
    });
    // Node reads from it that the files of dist are modules.
    for (const file of ['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE']) {
      copyFileSync(path.join(root, file), path.join(folder, file));
    }
    cpSync(path.join(root, 'docs'), path.join(folder, 'docs'), { recursive: true });
    mkdirSync(target, { recursive: true });
    const archive = path.join(target, `${name}.tar.gz`);
    const plain = path.join(work, `${name}.tar`);
    const reproducible = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner'];
    run('tar', [...reproducible, '--mode=u=rwX,go=rX', '-cf', plain, name], work);
    // Twice as fast as by default, and 3 % larger.
    run('gzip', ['--no-name', '-4', plain], work);
    // The target may be on another file system, where a rename cannot move it to.
    copyFileSync(`${plain}.gz`, `${archive}.part`);
    renameSync(`${archive}.part`, archive);
    return archive;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

const { values } = parseArgs({
  options: {
    arch: { type: 'string', multiple: true },
    target: { type: 'string', default: path.join(root, 'archives') },
  },
});
const wanted = architectures.filter((each) => values.arch?.includes(each) ?? true);
if (wanted.length < (values.arch?.length ?? 1)) {
  console.error(`--arch must be one of ${architectures.join(', ')}.`);
  process.exitCode = 2;
} else {
  for (const architecture of wanted) {
    const archive = writeArchive(architecture, values.target);
    const megabytes = (statSync(archive).size / 1e6).toFixed(1);
    console.log(`${path.relative(process.cwd(), archive)} ${megabytes} MB`);
  }
}
