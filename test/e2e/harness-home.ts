import { mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const compiled = path.resolve(import.meta.dirname, '../../node_modules/.cache/hostdeck/homes');

/** A process that a test started and that still runs. */
export interface Survivor {
  readonly pid: number;
  readonly command: string;
}

/** A person's folders of their own, and all processes started with them. */
export class Home {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'hostdeck-e2e-'));
  /** For the environment of what is started: the folders, and a mark to find it by. */
  readonly env: Readonly<Record<string, string>>;
  readonly #mark: string;

  /**
   * The program finds its compiled code of earlier starts, which most starts of a person do too;
   * `isFirst` for a home without it.
   */
  constructor({ isFirst = false } = {}) {
    const inside = (name: string): string => {
      const folder = path.join(this.folder, name);
      mkdirSync(folder, { mode: 0o700 });
      return folder;
    };
    if (!isFirst) mkdirSync(compiled, { mode: 0o700, recursive: true });
    this.#mark = `HOSTDECK_TEST=${path.basename(this.folder)}`;
    this.env = {
      HOME: inside('home'),
      XDG_CONFIG_HOME: inside('config'),
      XDG_DATA_HOME: inside('data'),
      XDG_STATE_HOME: inside('state'),
      XDG_CACHE_HOME: isFirst ? inside('cache') : compiled,
      XDG_RUNTIME_DIR: inside('run'),
      TMPDIR: inside('tmp'),
      HOSTDECK_TEST: path.basename(this.folder),
    };
  }

  /** Processes with our mark in their environment, or working in our folders. */
  survivors(): Survivor[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => this.#isOurs(pid))
      .map((pid) => ({
        pid: Number(pid),
        command: read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim(),
      }));
  }

  /** Ends what still runs and removes the folders. */
  remove(): void {
    for (const { pid } of this.survivors()) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It ended meanwhile.
      }
    }
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  #isOurs(pid: string): boolean {
    // Without a command line it has ended and only waits for its parent to notice.
    if (read(`/proc/${pid}/cmdline`) === '') return false;
    if (read(`/proc/${pid}/environ`).split('\0').includes(this.#mark)) return true;
    try {
      return readlinkSync(`/proc/${pid}/cwd`).startsWith(this.folder);
    } catch {
      return false;
    }
  }
}

/** Empty where the process has ended or is not ours to look at. */
function read(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
