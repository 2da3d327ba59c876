import path from 'node:path';
import { clipboardLimit, clipboardSequence, clipboardMethod } from '../terminal/clipboard.ts';
import type { Clipboard, Sent } from '../view/command/copy.ts';
import { lazyPart } from '../system/lazy-part.ts';

const tmuxBuffer = lazyPart(() => import('./tmux-buffer.ts'));
const atomicFile = lazyPart(() => import('../disk/atomic-file.ts'));
const printing = lazyPart(() => import('./print-and-wait.ts'));

export interface ClipboardOptions {
  /** Folder of the file `copied`, which holds the last copy. */
  readonly stateFolder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Writes to the terminal between two frames. */
  readonly pass: (bytes: string) => void;
  /** Runs a program that has the terminal meanwhile. */
  readonly away: (run: () => Promise<void>) => Promise<void>;
}

/**
 * Returns a clipboard that sends texts to the terminal's clipboard and also writes them to a file,
 * because no terminal confirms what it took.
 */
export function createClipboard({ stateFolder, env, pass, away }: ClipboardOptions): Clipboard {
  const file = path.join(stateFolder, 'copied');
  let last: string | undefined;
  let copying: Promise<unknown> = Promise.resolve();

  /** Resolves with false where the text is too long for the terminal. */
  async function send(text: string, bytes: number): Promise<boolean> {
    const way = clipboardMethod(env);
    if (way === 'tmux') {
      const { loadTmuxBuffer } = await tmuxBuffer();
      if (await loadTmuxBuffer(text, env)) return true;
    }
    if (bytes > clipboardLimit) return false;
    pass(clipboardSequence(text, way === 'screen' ? 'screen' : 'terminal'));
    return true;
  }

  async function keep(text: string): Promise<Sent['kept']> {
    // Loaded with the first copy, because it loads much of Node.
    const { whyNot, writeAtomically } = await atomicFile();
    try {
      await writeAtomically(file, text);
      return { file: shortPath(file, env['HOME']) };
    } catch (error) {
      return { whyNot: whyNot(error) };
    }
  }

  async function copy(text: string): Promise<Sent> {
    const bytes = Buffer.byteLength(text);
    const isSent = await send(text, bytes);
    return { bytes, isSent, kept: await keep(text) };
  }

  return {
    copy(text) {
      last = text;
      // One after the other, so that the last copy is the one that stays.
      const copied = copying.then(() => copy(text));
      copying = copied.catch(() => undefined);
      return copied;
    },
    hasCopied: () => last !== undefined,
    print: (text = last ?? '') =>
      away(async () => {
        const { printAndWait } = await printing();
        await printAndWait(text, (data) => process.stdout.write(data));
      }),
  };
}

/** Returns the path with `~` for the home folder, to leave room in a message. */
function shortPath(file: string, home: string | undefined): string {
  if (home === undefined || home === '' || !file.startsWith(`${home}/`)) return file;
  return `~${file.slice(home.length)}`;
}
