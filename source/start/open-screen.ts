import type { TerminalOutput } from '../terminal/link/output.ts';
import { createTerminalScreen, type TerminalScreen } from '../terminal/screen/screen.ts';
import { createUnseenScreen, unseenSize } from '../terminal/screen/unseen-screen.ts';
import type { TerminalTraits } from '../terminal/traits.ts';
import type { Commands } from '../view/command/registry.ts';
import type { Speaker } from '../view/shell/spoken/speaker.ts';
import { lazyPart } from '../system/lazy-part.ts';

const speakerPart = lazyPart(() => import('../view/shell/spoken/speaker.ts'));

/** The screen, and the speaker that says what changes on it where nobody sees it. */
export interface OpenedScreen {
  readonly screen: TerminalScreen;
  readonly speaker: Speaker | undefined;
}

/** Creates the screen that draws on the terminal, or the one that a screen reader is told about. */
export async function openScreen(options: {
  readonly output: TerminalOutput;
  readonly traits: TerminalTraits;
  readonly screenReader: boolean;
  readonly commands?: Commands | undefined;
}): Promise<OpenedScreen> {
  const { output, traits, commands } = options;
  if (!options.screenReader) {
    const screen = createTerminalScreen({ output, terminal: process.stdout, traits });
    return { screen, speaker: undefined };
  }
  const { createSpeaker } = await speakerPart();
  const write = (lines: string): void => screen.writeThrough(lines);
  const speaker = createSpeaker({ write, size: unseenSize, commands });
  const screen = createUnseenScreen({ output, repeat: () => speaker.repeat() });
  return { screen, speaker };
}
