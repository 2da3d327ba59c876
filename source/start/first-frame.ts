import type { PlainConsole } from './plain-arguments.ts';
import { type KnownProfile, skeletonRows } from './skeleton.ts';
import { colourDepth, drawsUnicode } from '../terminal/screen/colour.ts';
import { hostStartText } from '../store/deck/profile.ts';
import { asciiGlyphs, unicodeGlyphs } from '../view/text/glyphs.ts';

// Importing these modules would cost milliseconds before the first frame: Node reads all their exports.
const { existsSync, readFileSync, statSync, writeSync } = process.getBuiltinModule('node:fs');
const { constants } = process.getBuiltinModule('node:os');

/** The frame on the terminal before the console draws, and the keyboard that it holds until then. */
export interface FirstFrame {
  /** Width of the terminal when the frame was painted, in columns. */
  readonly columns: number;
  /** The painted rows, from the top. */
  readonly rows: readonly string[];
  /** Says that the host on this machine is being started. */
  showHostStart(): void;
  /** The sequences that were written to switch terminal modes. */
  readonly modes: string;
  /** Hands the terminal to the console and returns the bytes typed so far. */
  handOver(): Uint8Array;
  /** Restores the terminal. */
  leave(): void;
}

const signals = ['SIGHUP', 'SIGINT', 'SIGTERM', 'SIGQUIT'] as const;

const enter = '\x1b[?1049h\x1b[?25l';
const exit = '\x1b[0m\x1b[?25h\x1b[?1049l';

const interrupt = 3;

/** Bytes of a configuration file that is read for the first frame; a larger one is refused later. */
const largestConfig = 1 << 20;

/**
 * Paints the skeleton on the alternate screen and reads the keyboard, so that nothing typed from now on
 * is echoed or lost. Until {@link FirstFrame.handOver}, any end of the program restores the terminal,
 * and `^C` ends the program.
 */
export function paintFirstFrame(wanted: PlainConsole, env: NodeJS.ProcessEnv): FirstFrame {
  const { stdin, stdout } = process;
  const { columns } = stdout;
  const options = {
    columns,
    rows: stdout.rows,
    glyphs: drawsUnicode(wanted, env) ? unicodeGlyphs : asciiGlyphs,
    colours: colourDepth(env) !== 'none',
    profile: knownProfile(wanted, env),
    hasOwnKeys: bindsKeys(env),
  };
  let rows = skeletonRows(options);

  const typed: Buffer[] = [];
  let watching = true;
  const read = (chunk: Buffer): void => {
    if (chunk.includes(interrupt)) end(128 + constants.signals.SIGINT);
    typed.push(chunk);
  };
  const ends = signals.map((signal) => ({
    signal,
    act: () => end(128 + constants.signals[signal]),
  }));
  const vanished = (): void => end(128 + constants.signals.SIGHUP);

  function release(): void {
    watching = false;
    stdin.off('data', read).off('end', vanished).off('error', vanished);
    stdout.off('error', vanished);
    stdin.pause();
    for (const { signal, act } of ends) process.off(signal, act);
    process.off('exit', leave).off('uncaughtException', crash);
  }

  function leave(): void {
    if (!watching) return;
    release();
    try {
      writeSync(1, exit);
      stdin.setRawMode(false);
      stdin.unref();
    } catch {
      // The terminal is gone; there are no modes to restore.
    }
  }

  function end(code: number): void {
    leave();
    process.exit(code);
  }

  function crash(error: unknown): void {
    leave();
    const message = error instanceof Error ? error.message : String(error);
    try {
      writeSync(2, `hostdeck could not start: ${message.replaceAll(/[^\x20-\x7e]+/g, ' ')}\n`);
    } catch {
      // Nobody is left to read it.
    }
    process.exit(1);
  }

  // Before the first byte is written: a person who sees the frame may type or interrupt at once.
  for (const { signal, act } of ends) process.on(signal, act);
  process.on('exit', leave).on('uncaughtException', crash);
  stdout.on('error', vanished);
  stdin.setRawMode(true);
  stdout.write(`${enter}\x1b[H\x1b[2J${rows.join('\r\n')}\x1b[H`);
  stdin.on('data', read).on('end', vanished).on('error', vanished);

  return {
    columns,
    get rows() {
      return rows;
    },
    modes: enter,
    showHostStart() {
      if (!watching) return;
      const before = rows;
      rows = skeletonRows({ ...options, notice: hostStartText(options.glyphs.ellipsis) });
      for (const [index, row] of rows.entries()) {
        if (row !== before[index]) stdout.write(`\x1b[${index + 1};1H${row}\x1b[H`);
      }
    },
    handOver() {
      release();
      return Buffer.concat(typed);
    },
    leave,
  };
}

/** Returns the profile that the environment describes; undefined where it is not safe to show. */
function knownProfile(wanted: PlainConsole, env: NodeJS.ProcessEnv): KnownProfile | undefined {
  const baseUrl = wanted.baseUrl ?? env['HOSTDECK_BASE_URL'] ?? '';
  if (wanted.profile !== undefined && wanted.profile !== 'local') return undefined;
  // The file may name another service, and is read only after this frame.
  if (wanted.baseUrl === undefined && hasConfigFile(env)) return undefined;
  if (baseUrl === '' || wanted.profile !== undefined)
    return { name: 'local', production: false, host: '', wallet: undefined };
  const host = URL.parse(baseUrl)?.host ?? '';
  const name = env['HOSTDECK_PROFILE'] || host;
  const wallet = env['HOSTDECK_WALLET'] || undefined;
  if (host === '' || !/^[\x20-\x7e]*$/.test(name + (wallet ?? ''))) return undefined;
  return { name, production: /^prod/i.test(name), host, wallet };
}

/** Returns whether there is a configuration file, without the modules that read it. */
function hasConfigFile(env: NodeJS.ProcessEnv): boolean {
  return existsSync(configFile(env));
}

/** Returns whether the configuration file may bind keys: it is parsed only after this frame. */
function bindsKeys(env: NodeJS.ProcessEnv): boolean {
  const file = configFile(env);
  try {
    // Reading a pipe would wait for its writer.
    const found = statSync(file, { throwIfNoEntry: false });
    const isReadable = found?.isFile() === true && found.size <= largestConfig;
    return isReadable && /\bkeys\b["']?\s*:/.test(readFileSync(file, 'utf8'));
  } catch {
    return false;
  }
}

function configFile(env: NodeJS.ProcessEnv): string {
  return `${env['XDG_CONFIG_HOME'] || `${env['HOME'] ?? ''}/.config`}/hostdeck/config.yaml`;
}
