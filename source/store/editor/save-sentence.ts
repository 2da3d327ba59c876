import type { SaveOutcome } from './save-state.ts';
import type { Tone } from '../prompts/tone.ts';

export interface SaveNames {
  /** Inside the service, as it is shown. */
  readonly path: string;
  /** Host of the service, for answers that did not come. */
  readonly host: string;
  /** When it was saved, as it is shown: `12:01:03`. */
  readonly time: string;
  /** What becomes of the change: `shop restarts in 4s. ^R: now or cancel.` */
  readonly restart: string;
}

/** What is said of a save (screens.md, sentences 1, 6 and 7). Texts of the service are unsanitised. */
export function saveSentence(
  outcome: SaveOutcome,
  { path, host, time, restart }: SaveNames,
): { readonly text: string; readonly tone: Tone } {
  const name = path.slice(path.lastIndexOf('/') + 1);
  switch (outcome.kind) {
    case 'saved':
      return outcome.sent
        ? good(`Saved ${path} ${time}. ${restart}`)
        : good(`${name} is on the service as you have it. Nothing sent.`);
    case 'unchanged':
      return plain(`${name} is as it was opened. Nothing sent.`);
    case 'unknown':
      return bad(
        `No answer from ${host}: ${name} may not be saved. Draft kept. ^S checks and tries again.`,
      );
    case 'deleted':
      return bad(`${name} was deleted on the service. Nothing sent. ^S offers to create it again.`);
    case 'offered':
      return bad(`${name} is deleted on the service. Nothing sent.`);
    case 'conflict':
      return outcome.text
        ? bad(`${name} was changed by someone else. Nothing sent.`)
        : bad(`${name} was changed by someone else and is no text any more. Nothing sent.`);
    case 'unchecked':
      return bad(
        `${name} could not be compared, nothing sent. ${outcome.error.sentence} Draft kept. ^S tries again.`,
      );
    case 'failed':
      return bad(
        `${name} is not saved. ${outcome.error.sentence} Draft kept. ${outcome.error.next}`,
      );
    case 'not kept':
      return outcome.whose === 'theirs'
        ? bad(`Nothing sent, theirs could not be kept: ${outcome.sentence}`)
        : bad(`Theirs is not taken, your draft could not be kept: ${outcome.sentence}`);
    case 'typed on':
      return bad(`Theirs is not taken: ${name} was typed in meanwhile.`);
    case 'merged':
      return plain(`Merged ${name}, not saved yet. ^S sends it.`);
    case 'taken':
      return plain(`${name} is theirs now. Your draft is kept, D shows it.`);
  }
}

const good = (text: string) => ({ text, tone: 'good' }) as const;
const plain = (text: string) => ({ text, tone: 'plain' }) as const;
const bad = (text: string) => ({ text, tone: 'bad' }) as const;
