import { render } from 'ink';
import type { Deck } from '../../store/deck/deck.ts';
import { setKeyNames } from '../../store/prompts/key-names.ts';
import { setEllipsis } from '../../terminal/screen/cells.ts';
import type { ColourDepth } from '../../terminal/screen/colour.ts';
import type { KeyDecision } from '../../terminal/keys/key-queue.ts';
import type { Keys } from '../../terminal/keys/keys.ts';
import type { TerminalScreen } from '../../terminal/screen/screen.ts';
import { AlertBell } from '../alerts/alert-bell.tsx';
import { App } from './app.tsx';
import {
  DeckContext,
  GlyphsContext,
  KeysContext,
  LinkContext,
  PainterContext,
} from '../parts/context.ts';
import { ClickMap, ClickMapContext, noAreas, targetIn, targetName } from '../parts/click-map.ts';
import { Themed } from '../parts/themed.tsx';
import type { Clipboard } from '../command/copy.ts';
import { type Bound, bindKeys, type KeyBindings, keyNamesOf } from '../command/key-bindings.ts';
import type { Commands } from '../command/registry.ts';
import { CommandsContext } from './commands-context.ts';
import { registeredCommands } from './commands.ts';
import { click } from './click.ts';
import { dispatch } from './dispatch.ts';
import type { KeyEvent } from '../../terminal/keys/key-sequences.ts';
import type { MouseButton, MouseEvent } from '../../terminal/keys/mouse-report.ts';
import type { Handed, PipeEnd, Terminal } from '../command/action.ts';
import { isInkKey } from './prompts/field-keys.ts';
import type { Speaker } from './spoken/speaker.ts';
import { paneViewport } from './viewport.ts';
import type { Glyphs } from '../text/glyphs.ts';

/** BEL, which terminals make heard or seen. */
const bell = '\x07';

/** Keys of the wheel, as terminals send them by alternate scroll, and how many for each notch. */
const wheelArrows: Readonly<Partial<Record<MouseButton, string>>> = {
  'wheel-up': 'up',
  'wheel-down': 'down',
};
const wheelRows = 3;

export interface MountOptions {
  readonly deck: Deck;
  readonly keys: Keys;
  readonly screen: TerminalScreen;
  readonly colours: ColourDepth;
  readonly glyphs: Glyphs;
  /** Suspends this process, as `^Z` does. */
  readonly stop: () => void;
  /** Edits a text in an external program, which uses the terminal meanwhile. */
  readonly hand: (text: string, name: string) => Promise<Handed>;
  /** Runs a command that reads texts, and uses the terminal meanwhile. */
  readonly pipe: (command: string, texts: AsyncIterable<string>) => Promise<PipeEnd>;
  readonly clipboard: Clipboard;
  /** Collects incidents of the service; undefined where there is none. */
  readonly collectIncident?: Terminal['collectIncident'];
  /** The commands with the keys of the configuration; by default with their own. */
  readonly commands?: Commands | undefined;
  /** Returns whether an alert may ring the bell; it may by default. */
  readonly mayRing?: (() => boolean) | undefined;
  /** Writes changes as lines where a screen reader reads the terminal. */
  readonly speaker?: Speaker | undefined;
}

/** The mounted view. */
export interface MountedView {
  /**
   * Resolves when the view unmounts, with true where the person has quit: Ink unmounts by itself when
   * the event loop runs empty.
   */
  readonly gone: Promise<boolean>;
  /** Shows another deck as soon as there is one. Keys typed until then are dropped. */
  change(next: () => Promise<Deck>): Promise<void>;
  /** Ends it though the person has not quit. */
  unmount(): void;
}

/** Returns all commands with the keys of the configuration. */
export function bindConfiguredKeys(bindings: KeyBindings): Bound {
  return bindKeys(registeredCommands, bindings);
}

/** Mounts the view of a deck on the terminal's screen and connects the keys. */
export function mount(options: MountOptions): MountedView {
  const { keys, screen, speaker, commands = registeredCommands } = options;
  setKeyNames(keyNamesOf(commands));
  let { deck } = options;
  let decks = 1;
  let isChanging = false;
  let hasQuit = false;

  let isSuspended = false;

  /** Restores the terminal's original state while another program runs in it. */
  async function releaseTerminal<T>(run: () => Promise<T> | T): Promise<T | undefined> {
    if (isSuspended) return undefined;
    isSuspended = true;
    screen.pause();
    await keys.leave();
    screen.suspend();
    try {
      return await run();
    } finally {
      screen.resume();
      keys.start();
      isSuspended = false;
    }
  }

  const terminal = {
    quit() {
      hasQuit = true;
      speaker?.leave();
      instance.unmount();
    },
    redraw: () => screen.repaint(),
    suspend: () => void releaseTerminal(() => options.stop()),
    hand: (text: string, name: string) => releaseTerminal(() => options.hand(text, name)),
    collectIncident: options.collectIncident,
    pipe: (command: string, texts: AsyncIterable<string>) =>
      releaseTerminal(() => options.pipe(command, texts)),
    clipboard: {
      ...options.clipboard,
      print: async (text?: string) => releaseTerminal(() => options.clipboard.print(text)),
    },
  };

  const clicks = new ClickMap();
  const frames = screen.followFrames(() =>
    deck.screen.getState().hasMouse ? clicks.frame() : noAreas,
  );
  /** The target of the last input, where that was a click. */
  let lastClicked: string | undefined;
  /** Keys that the last click stands for and that are still to come. */
  let clickedKeys = 0;

  keys.onKey((event) => {
    if (clickedKeys > 0) clickedKeys -= 1;
    else lastClicked = undefined;
    const answer = isChanging ? undefined : speaker?.answerKeys(event);
    if (answer !== undefined) return answer;
    const decision = pressKey(event);
    speaker?.keyPressed(event);
    return decision;
  });
  keys.onMouse((event) => {
    if (isChanging) return [];
    const arrow = wheelArrows[event.button];
    if (arrow !== undefined) return Array<string>(wheelRows).fill(arrow);
    const names = event.button === 'left' ? leftClick(event) : [];
    clickedKeys = names.length;
    return names;
  });

  /**
   * Acts on what the last frame that the terminal acknowledged shows in a cell, unless a later frame
   * shows something else there: the user may not have seen all of them.
   */
  function leftClick(cell: MouseEvent): readonly string[] {
    const name = targetName(targetIn(frames.shown() ?? noAreas, cell));
    const newest = clicks.frame();
    const later = [...frames.unacknowledged(), newest];
    const isStale = later.some((frame) => targetName(targetIn(frame, cell)) !== name);
    const isRepeated = name === lastClicked;
    lastClicked = undefined;
    const target = targetIn(newest, cell);
    if (target === undefined || isStale) return [];
    if (!isRepeated) lastClicked = name;
    return click(deck, target, commands, isRepeated);
  }

  function pressKey(event: KeyEvent): KeyDecision {
    if (isChanging) return 'consumed';
    deck.keyPause.keyPressed();
    if (keys.hasReader() && isInkKey(deck, event)) return 'pass';
    const { columns, rows } = screen.stdout;
    const environment = {
      deck,
      terminal,
      // The help may move the focus before it runs a command.
      get viewport() {
        return paneViewport(deck, { columns, rows });
      },
    };
    const result = dispatch(event, environment, commands);
    if (result !== 'hold') return result;
    keys.hold();
    return 'consumed';
  }
  let stopHolding = holdWhileOpening();
  keys.deliverTypedAhead();

  const ring = (): void => {
    if (options.mayRing?.() !== false) screen.writeThrough(bell);
  };
  setEllipsis(options.glyphs.cut);
  const tree = () => (
    // Another key mounts every component again, so that none keeps state of an earlier deck.
    <DeckContext key={decks} value={deck}>
      <KeysContext value={keys}>
        <GlyphsContext value={options.glyphs}>
          <PainterContext value={screen.painter}>
            <LinkContext value={screen.link}>
              <ClickMapContext value={clicks}>
                <CommandsContext value={commands}>
                  <Themed colours={options.colours}>
                    <AlertBell ring={ring} />
                    <App />
                  </Themed>
                </CommandsContext>
              </ClickMapContext>
            </LinkContext>
          </PainterContext>
        </GlyphsContext>
      </KeysContext>
    </DeckContext>
  );
  const instance = render(tree(), {
    stdout: screen.stdout,
    stdin: keys.stdin,
    exitOnCtrlC: false,
    patchConsole: false,
    // Ink would disable interactive mode when CI is set.
    interactive: true,
    // Ink writes whole frames at once; the screen computes the differences.
    debug: true,
    // Ink's own mode for screen readers erases and writes the whole screen again.
    isScreenReaderEnabled: false,
  });

  speaker?.follow(deck, terminal);

  /** Holds keys typed while a text opens, for the editor. Returns the function that stops it. */
  function holdWhileOpening(): () => void {
    return deck.editor.state.subscribe(({ opening }, before) => {
      if (opening !== undefined && before.opening === undefined) keys.hold();
      if (opening === undefined && before.opening !== undefined) keys.release();
    });
  }

  return {
    gone: instance.waitUntilExit().then(() => hasQuit),
    unmount: () => instance.unmount(),
    async change(next) {
      isChanging = true;
      deck = await next();
      decks += 1;
      stopHolding();
      stopHolding = holdWhileOpening();
      instance.rerender(tree());
      speaker?.follow(deck, terminal);
      isChanging = false;
    },
  };
}
