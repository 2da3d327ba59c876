import { render, type SuspendTerminal, useApp } from 'ink';
import { useEffect } from 'react';
import type { Console } from '../store/console.ts';
import type { Keys } from '../terminal/keys.ts';
import { App } from './app.tsx';
import { ConsoleContext, GlyphsContext, KeysContext } from './context.ts';
import { dispatch } from './dispatch.ts';
import { paneExtent } from './extent.ts';
import type { Glyphs } from './theme.ts';

/** The view on a terminal, until it is quit. */
export interface Mounted {
  /** Settles when the view is gone and everything it drew was written. */
  readonly gone: Promise<unknown>;
  /** Draws everything anew, for a screen that something else has written to. */
  redraw(): void;
}

export interface MountOptions {
  readonly console: Console;
  readonly keys: Keys;
  readonly stdout: NodeJS.WriteStream;
  readonly glyphs: Glyphs;
  /** Stops this program until it is continued, as `^Z` does. */
  readonly stop: () => void;
}

/** Frames a second at most; keys do not wait for more than one. */
const maxFps = 30;

/** Draws the console on the terminal's alternate screen and gives it the keys. */
export function mount(options: MountOptions): Mounted {
  const { console, keys, stdout } = options;
  let suspendTerminal: SuspendTerminal | undefined;

  let suspended = false;

  /** Ink draws everything anew when it gets the terminal back. */
  async function suspend(meanwhile: () => Promise<void> | void): Promise<void> {
    if (suspended) return;
    suspended = true;
    try {
      await suspendTerminal?.(async () => {
        await meanwhile();
      });
    } finally {
      suspended = false;
    }
  }

  const terminal = {
    quit: () => instance.unmount(),
    redraw: () => void suspend(() => {}),
    suspend: () =>
      void suspend(async () => {
        await keys.leave();
        options.stop();
        keys.start();
      }),
  };

  function TerminalHandle() {
    const app = useApp();
    useEffect(() => {
      suspendTerminal = app.suspendTerminal;
    }, [app]);
    return undefined;
  }

  const instance = render(
    <ConsoleContext value={console}>
      <KeysContext value={keys}>
        <GlyphsContext value={options.glyphs}>
          <TerminalHandle />
          <App />
        </GlyphsContext>
      </KeysContext>
    </ConsoleContext>,
    {
      stdout,
      stdin: keys.stdin,
      exitOnCtrlC: false,
      patchConsole: false,
      // A terminal is a terminal also where CI is set.
      interactive: true,
      alternateScreen: true,
      incrementalRendering: true,
      maxFps,
    },
  );

  keys.onKey((event) => {
    const { columns, rows } = stdout;
    const extent = paneExtent(console, { columns, rows });
    const verdict = dispatch(event, { console, terminal, extent });
    if (verdict !== 'hold') return verdict;
    keys.hold();
    return 'consumed';
  });

  return { gone: instance.waitUntilExit(), redraw: terminal.redraw };
}
