import { pressUntil } from './foreign-console.ts';
import type { Session } from './harness.ts';

/** Quits by the keyboard, from any pane: the second press counts once the first one's answer could be read. */
export async function quit(session: Session): Promise<void> {
  session.press('ctrl+c');
  await session.waitFor('^C again quits.');
  await pressUntil(session, 'ctrl+c', (now) => !now.terminal.modes.alternateScreen);
}
