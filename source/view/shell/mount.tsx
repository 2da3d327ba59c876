import { render } from 'ink';
import type { Deck } from '../../store/deck/deck.ts';
import { setEllipsis } from '../../terminal/screen/cells.ts';
import type { ColourDepth } from '../../terminal/screen/colour.ts';
import type { Keys } from '../../terminal/keys/keys.ts';
import type { TerminalScreen } from '../../terminal/screen/screen.ts';
import { App } from './app.tsx';
import {
  ColoursContext,
  DeckContext,
  GlyphsContext,
  KeysContext,
  LinkContext,
  PainterContext,
} from '../parts/context.ts';
import type { Clipboard } from '../command/copy.ts';
import { dispatch } from './dispatch.ts';
import type { Handed } from '../command/action.ts';
import { paneViewport } from './viewport.ts';
import type { Glyphs } from '../text/theme.ts';

export interface MountOptions {
  readonly deck: Deck;
  readonly keys: Keys;
  readonly screen: TerminalScreen;
  readonly colours: ColourDepth;
  readonly glyphs: Glyphs;
  /** Stops this program until it is continued, as `^Z` does. */
  readonly stop: () => void;
  /** Lets the person edit a text with another program, which has the terminal meanwhile. */
  readonly hand: (text: string, name: string) => Promise<Handed>;
  readonly clipboard: Clipboard;
}

/**
 * Draws the console on the terminal's screen and gives it the keys. Settles when the view is gone.
 */
export async function mount(options: MountOptions): Promise<void> {
  const { deck, keys, screen } = options;

  let suspended = false;

  /** The terminal as it was found, for what runs in it meanwhile. */
  async function giveAway<T>(run: () => Promise<T> | T): Promise<T | undefined> {
    if (suspended) return undefined;
    suspended = true;
    screen.pause();
    await keys.leave();
    screen.suspend();
    try {
      return await run();
    } finally {
      screen.resume();
      keys.start();
      suspended = false;
    }
  }

  const terminal = {
    quit: () => instance.unmount(),
    redraw: () => screen.repaint(),
    suspend: () => void giveAway(() => options.stop()),
    hand: (text: string, name: string) => giveAway(() => options.hand(text, name)),
    clipboard: {
      ...options.clipboard,
      print: async (text?: string) => giveAway(() => options.clipboard.print(text)),
    },
  };

  keys.onKey((event) => {
    const { columns, rows } = screen.stdout;
    const viewport = paneViewport(deck, { columns, rows });
    const verdict = dispatch(event, { deck, terminal, viewport });
    if (verdict !== 'hold') return verdict;
    keys.hold();
    return 'consumed';
  });
  deck.editor.state.subscribe(({ opening }, before) => {
    // However a text is opened: what is typed meanwhile goes into it.
    if (opening !== undefined && before.opening === undefined) keys.hold();
    if (opening === undefined && before.opening !== undefined) keys.release();
  });
  keys.deliverTypedAhead();

  setEllipsis(options.glyphs.cut);
  const instance = render(
    <DeckContext value={deck}>
      <KeysContext value={keys}>
        <GlyphsContext value={options.glyphs}>
          <ColoursContext value={options.colours}>
            <PainterContext value={screen.painter}>
              <LinkContext value={screen.link}>
                <App />
              </LinkContext>
            </PainterContext>
          </ColoursContext>
        </GlyphsContext>
      </KeysContext>
    </DeckContext>,
    {
      stdout: screen.stdout,
      stdin: keys.stdin,
      exitOnCtrlC: false,
      patchConsole: false,
      // A terminal is a terminal also where CI is set.
      interactive: true,
      // Whole frames, each at once: the screen finds out what differs.
      debug: screen.painter !== undefined,
    },
  );

  await instance.waitUntilExit();
}
