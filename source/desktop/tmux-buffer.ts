import { spawn } from 'node:child_process';

/** Variables that tmux needs to find its server and client; none is secret. */
const needed = ['PATH', 'HOME', 'TMUX', 'TMUX_PANE', 'TMUX_TMPDIR', 'TERM', 'LANG', 'LC_ALL'];

/** Milliseconds to wait for tmux. */
const patience = 2000;

/**
 * Loads a text into a tmux buffer, which tmux 3.2 sends to the clipboard of its terminals (`-w`). By
 * default tmux drops clipboard sequences that programs write. Resolves with whether tmux took it.
 */
export function loadTmuxBuffer(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn('tmux', ['load-buffer', '-w', '-'], {
      stdio: ['pipe', 'ignore', 'ignore'],
      timeout: patience,
      env: Object.fromEntries(needed.map((name) => [name, env[name]])),
    });
    child.on('error', () => resolve(false));
    child.on('exit', (code) => resolve(code === 0));
    // tmux may exit without reading; its exit code tells.
    child.stdin.on('error', () => {});
    child.stdin.end(text);
  });
}
