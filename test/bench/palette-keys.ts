import { setTimeout as sleep } from 'node:timers/promises';
import type { Session } from '../e2e/harness.ts';
import { press } from './list-keys.ts';

/** Texts of the palette: a name, loose letters, a verb and a name, and what finds nothing. */
const texts = ['shop-12', 'shp99', 'delshp12', 'restart shop-7', 'zzzz'];

/** Types texts into the palette, each in a new one; returns the milliseconds to each letter. */
export async function typeIntoPalette(
  session: Session,
  rounds: number,
): Promise<readonly number[]> {
  const latencies: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    for (const text of texts) {
      session.press(':');
      await session.waitFor('Tab complete');
      let typed = '';
      const type = () => {
        const letter = text[typed.length] ?? '';
        typed += letter;
        const shown = `: ${typed}`.trimEnd();
        return {
          key: letter === ' ' ? 'space' : letter,
          answered: ({ screen }: Session) => screen.includes(`│ ${shown} `),
        };
      };
      latencies.push(...(await press(session, type, text.length)));
      session.press('escape');
      await session.waitFor((now) => !now.screen.includes('Tab complete'));
      // An Esc that a key follows at once is that key with Alt.
      await sleep(100);
    }
  }
  return latencies;
}
