import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sanitize } from '../terminal/screen/sanitize.ts';
import type { Handed } from '../view/command/action.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that hold what no other program has to know. */
const secrets = /^HOSTDECK_TOKEN/;

const shellFindsNothing = 127;

/**
 * Lets the person edit a text with `$VISUAL`, else `$EDITOR`, else vi, which has the terminal
 * meanwhile. It works on a file of mode 0600 in a folder of mode 0700, both removed afterwards. A
 * failing exit changes nothing, which is how people back out (`:cq`).
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
    if (problem !== undefined) return failed(`${problem} Nothing is changed.`);
    const bytes = await readFile(file);
    const result = textOf(bytes);
    if (result === undefined) {
      const kept = folder;
      folder = undefined;
      return failed(`What ${editor} left is no text. Nothing is changed; it stays in ${kept}.`);
    }
    return result === text ? { kind: 'unchanged' } : { kind: 'changed', text: result };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return failed(`The file could not be handed to ${editor}: ${reason}`);
  } finally {
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  }
}

function failed(sentence: string): Handed {
  return { kind: 'failed', sentence: sanitize(sentence) };
}

/** The last part of the name, which tells the other program the language. */
function fileName(name: string): string {
  const safe = name.slice(name.lastIndexOf('/') + 1).replace(/[^\w.+-]/g, '_');
  return safe.slice(-100) || 'file';
}

/** Why the program did not end well; undefined when it did. */
function run(editor: string, file: string, env: Environment): Promise<string | undefined> {
  const kept = Object.entries(env).filter(([name]) => !secrets.test(name));
  return new Promise((resolve) => {
    // Through the shell, as git does: the variable may hold arguments.
    const child = spawn('/bin/sh', ['-c', `${editor} "$@"`, editor, file], {
      stdio: 'inherit',
      env: Object.fromEntries(kept),
    });
    child.on('error', (error) => resolve(`${editor} could not be run: ${error.message}.`));
    child.on('exit', (code, signal) => {
      if (code === 0) resolve(undefined);
      else if (code === shellFindsNothing) resolve(`There is no ${editor} here; set EDITOR.`);
      else resolve(`${editor} ended with ${code ?? signal}.`);
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
