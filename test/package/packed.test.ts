import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { nodeFolder } from '../../.config/node-download.ts';
import { useProgram } from './installed-program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = path.resolve(import.meta.dirname, '../..');

/** Oldest version of Node that the package supports, as a user may have it. */
const oldestNode = '24.21.0';

const folder = temporaryFolder('file');
const prefix = path.join(folder, 'prefix');
const installed = path.join(prefix, 'lib/node_modules/hostdeck');

function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  expect(status, `${command} ${args.join(' ')}: ${stderr}`).toBe(0);
  return stdout;
}

beforeAll(() => {
  // It is built: `npm test` does it before the tests, and CI from a clean clone.
  const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder];
  run('npm', pack, root);
  const packed = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
  mkdirSync(prefix);
  run('npm', ['install', '--global', '--offline', '--prefix', prefix, `./${packed}`], folder);
}, 120_000);

test('the packed file holds the program, its documents and what it bundles, and nothing else', () => {
  expect(readdirSync(installed).sort()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'dist',
    'docs',
    'package.json',
  ]);
  const files = readdirSync(path.join(installed, 'dist'), { recursive: true }).map(String);
  expect(files.filter((file) => !file.startsWith('chunks')).sort()).toEqual([
    'THIRD-PARTY-NOTICES',
    'cli.js',
    'completions',
    'completions/_hostdeck',
    'completions/hostdeck.bash',
    'completions/hostdeck.fish',
    'man',
    'man/hostdeck.1',
    'sbom.cdx.json',
  ]);
  expect(files.filter((file) => file.endsWith('.map'))).toEqual([]);
});

test('the bill of materials names each package of the notices', () => {
  const read = (file: string) => readFileSync(path.join(installed, 'dist', file), 'utf8');
  const { components } = JSON.parse(read('sbom.cdx.json')) as {
    readonly components: readonly { readonly name: string; readonly version: string }[];
  };
  const notices = new Set(read('THIRD-PARTY-NOTICES').split('\n'));
  expect(components.length).toBeGreaterThan(50);
  for (const { name, version } of components) expect(notices).toContain(`${name} ${version}`);
});

test('npm builds it before it packs it', () => {
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  expect(scripts['prepack']).toBe(scripts['build']);
});

// On the newest one, the archive does the same.
test('installed on Node 24, the console, logs and the host run', { timeout: 120_000 }, async () => {
  const node = nodeFolder(`${process.platform}-${process.arch}`, oldestNode);
  await useProgram([path.join(node, 'bin/node'), path.join(prefix, 'bin/hostdeck')], {});
});
