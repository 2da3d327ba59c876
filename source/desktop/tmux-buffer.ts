import { spawn } from 'node:child_process';

/** What tmux needs to find its server and client; nothing that is secret. */
const needed = ['PATH', 'HOME', 'TMUX', 'TMUX_PANE', 'TMUX_TMPDIR', 'TERM', 'LANG', 'LC_ALL'];

/** Milliseconds until a tmux that does not answer is given up. */
const patience = 2000;

/**
 * Gives a text to tmux, which sends it to the clipboards of its terminals (`-w`; tmux 3.2). With its
 * default options it drops what programs send there by themselves. Gives whether tmux took it.
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
    // It may end without reading; its exit code says so.
    child.stdin.on('error', () => {});
    child.stdin.end(text);
  });
}
