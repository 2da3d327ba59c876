import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { childEnvironment } from '../system/child-environment.ts';
import { sanitize } from '../terminal/screen/sanitize.ts';
import type { Handed } from '../view/command/action.ts';

type Environment = Readonly<Record<string, string | undefined>>;

const commandNotFound = 127;

/**
 * Opens a text in `$VISUAL`, else `$EDITOR`, else vi, which has the terminal meanwhile, and resolves
 * with the edited text. The text is in a file of mode 0600 in a folder of mode 0700; both are removed
 * afterwards. A failing exit discards the changes, as people expect of `:cq`.
 */
export async function handToEditor(
  text: string,
  name: string,
  env: Environment = process.env,
): Promise<Handed> {
  const editor = env['VISUAL'] || env['EDITOR'] || 'vi';
  let folder: string | undefined;
  try {
    folder = await mkdtemp(path.join(tmpdir(), 'hostdeck-'));
    const file = path.join(folder, fileName(name));
    await writeFile(file, text, { mode: 0o600, flag: 'wx' });
    const problem = await run(editor, file, env);
    if (problem !== undefined) return failed(`${problem} Nothing was changed.`);
    const bytes = await readFile(file);
    const result = textOf(bytes);
    if (result === undefined) {
      const kept = folder;
      folder = undefined;
      return failed(
        `${editor} wrote a file that is not text. Nothing was changed; it is in ${kept}.`,
      );
    }
    return result === text ? { kind: 'unchanged' } : { kind: 'changed', text: result };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return failed(`Can't open the file in ${editor}: ${reason}`);
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}

function failed(sentence: string): Handed {
  return { kind: 'failed', sentence: sanitize(sentence) };
}

/** Returns a safe form of the file's name, whose extension tells the editor the language. */
function fileName(name: string): string {
  const safe = name.slice(name.lastIndexOf('/') + 1).replace(/[^\w.+-]/g, '_');
  return safe.slice(-100) || 'file';
}

/** Resolves with a sentence when the editor failed; undefined when it exited with 0. */
function run(editor: string, file: string, env: Environment): Promise<string | undefined> {
  return new Promise((resolve) => {
    // Through the shell, as git does, because the variable may hold arguments.
    const child = spawn('/bin/sh', ['-c', `${editor} "$@"`, editor, file], {
      stdio: 'inherit',
      env: childEnvironment(env),
    });
    child.on('error', (error) => resolve(`Can't run ${editor}: ${error.message}.`));
    child.on('exit', (code, signal) => {
      if (code === 0) resolve(undefined);
      else if (code === commandNotFound) resolve(`${editor} was not found; set EDITOR.`);
      else resolve(`${editor} exited with ${code ?? signal}.`);
    });
  });
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
