import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { useProgram } from './installed-program.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const root = path.resolve(import.meta.dirname, '../..');

function run(command: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' });
  expect(status, `${command} ${args.join(' ')}: ${stderr}`).toBe(0);
  return stdout;
}

/** A folder for a PATH that has these programs and no Node. */
function withoutNode(folder: string, ...programs: readonly string[]): string {
  const tools = path.join(folder, 'tools');
  mkdirSync(tools);
  for (const program of programs) {
    const found = run('sh', ['-c', `command -v ${program}`], folder).trim();
    symlinkSync(found, path.join(tools, program));
  }
  return tools;
}

test('the archive is under 60 MB, and runs where there is no Node', {
  timeout: 240_000,
}, async () => {
  const target = temporaryFolder();
  // The sandbox of services hides what is in memory: /dev/shm.
  const folder = mkdtempSync(path.join(tmpdir(), 'hostdeck-archive-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  // Without bubblewrap, root's services run as users of their own, who must reach Node in it.
  chmodSync(folder, 0o755);
  const arch = process.arch === 'arm64' ? 'arm64' : 'x64';
  run('npm', ['run', '--silent', 'archive', '--', '--arch', arch, '--target', target], root);
  const archive = path.join(target, `hostdeck-linux-${arch}.tar.gz`);
  expect(statSync(archive).size).toBeLessThan(60e6);
  run('tar', ['-xzf', archive], folder);
  const unpacked = path.join(folder, `hostdeck-linux-${arch}`);
  expect(readdirSync(unpacked).sort()).toEqual([
    'CHANGELOG.md',
    'LICENSE',
    'README.md',
    'bin',
    'dist',
    'docs',
    'lib',
    'package.json',
  ]);

  const tools = withoutNode(folder, 'sh', 'readlink', 'dirname');
  symlinkSync(
    '../hostdeck-linux-x64/bin/hostdeck'.replace('x64', arch),
    path.join(tools, 'hostdeck'),
  );
  await useProgram([path.join(tools, 'hostdeck')], { PATH: tools });
});
