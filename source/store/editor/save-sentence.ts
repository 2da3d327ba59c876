import { keyName } from '../prompts/key-names.ts';
import type { SaveOutcome } from './save-state.ts';
import type { Tone } from '../prompts/tone.ts';

export interface SaveNames {
  /** Path of the file inside the service. */
  readonly path: string;
  /** Host of the service. */
  readonly host: string;
  /** Local time of the save: `12:01:03`. */
  readonly time: string;
  /** Sentence about the restart: `shop restarts in 4s. ^R changes that.` */
  readonly restart: string;
}

/** Reports the outcome of a save. Texts of the service are unsanitised. */
export function saveSentence(
  outcome: SaveOutcome,
  { path, time, restart }: SaveNames,
): { readonly text: string; readonly tone: Tone } {
  const name = path.slice(path.lastIndexOf('/') + 1);
  switch (outcome.kind) {
    case 'saved':
      return outcome.sent
        ? good(`Saved ${path} ${time}. ${restart}`)
        : good(`The service already has your ${name}. Nothing was sent.`);
    case 'unchanged':
      return plain('No changes to save.');
    case 'unknown':
      return bad(
        `${name} may not have been saved. Draft kept; ${keyName('editor.save', '^S')} retries.`,
      );
    case 'deleted':
      return bad(
        `${name} was deleted on the service. Nothing was sent. ${keyName('editor.save', '^S')}: create again.`,
      );
    case 'offered':
      return bad(`${name} was deleted on the service. Nothing was sent.`);
    case 'conflict':
      return outcome.text
        ? bad(`${name} changed on the service. Nothing was sent.`)
        : bad(`${name} changed on the service and is no longer text. Nothing was sent.`);
    case 'unchecked':
      return bad(
        `${name} was not saved. ${outcome.error.sentence} Draft kept; ${keyName('editor.save', '^S')} retries.`,
      );
    case 'failed':
      return bad(
        `${name} was not saved. ${outcome.error.sentence} Draft kept. ${outcome.error.next}`,
      );
    case 'not kept':
      return outcome.whose === 'theirs'
        ? bad(`Nothing was sent. ${outcome.sentence}`)
        : bad(`Your text stays in the editor. ${outcome.sentence}`);
    case 'typed on':
      return bad(`Your text stays in the editor: ${name} was edited meanwhile.`);
    case 'merged':
      return plain(`Merged ${name}, not saved yet. ${keyName('editor.save', '^S')} saves.`);
    case 'reloaded':
      return plain(`${name} changed on the service and was reloaded.`);
    case 'changed':
      return outcome.isText
        ? bad(`${name} changed on the service. ${keyName('editor.compare', 'F7')} compares.`)
        : bad(`${name} changed on the service and can't be edited any more. Its text stays here.`);
    case 'gone':
      return bad(
        `${name} was deleted on the service. Its text stays here; ${keyName('editor.save', '^S')} asks what to do.`,
      );
    case 'taken':
      return plain(
        `Now editing their ${name}. Draft kept; ${keyName('files.compare', 'D')} shows it.`,
      );
  }
}

const good = (text: string) => ({ text, tone: 'good' }) as const;
const plain = (text: string) => ({ text, tone: 'plain' }) as const;
const bad = (text: string) => ({ text, tone: 'bad' }) as const;
