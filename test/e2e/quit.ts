import { pressUntil } from './foreign-console.ts';
import type { Session } from './harness.ts';

/** Quits by the keyboard: the second press counts once the first one's answer could be read. */
export async function quit(session: Session): Promise<void> {
  session.press('q');
  await session.waitFor('q again quits.');
  await pressUntil(session, 'q', (now) => !now.terminal.modes.alternateScreen);
}
