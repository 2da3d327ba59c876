import { keyName } from '../../store/prompts/key-names.ts';
import type { EditorFile } from '../../store/editor/file.ts';
import { nameIn } from '../../store/drafts/places.ts';
import type { Tone } from '../../store/prompts/tone.ts';
import { formatTimeOfDay } from '../../store/time/time-of-day.ts';
import { shortDateText } from '../text/unfinished.ts';

/**
 * Reports a draft that was opened, and what happened to its file on the service since.
 * @param draftAt time of the draft, ms since the epoch.
 */
export function draftSentence(
  { place, sinceDraft }: Pick<EditorFile, 'place' | 'sinceDraft'>,
  draftAt: number,
  now: number,
): { readonly text: string; readonly tone: Tone } {
  if (sinceDraft === undefined) {
    const time = formatTimeOfDay(draftAt);
    return {
      text: `Draft of ${time} opened. ${keyName('editor.save', '^S')} saves, ${keyName('editor.discard', 'F6')} discards.`,
      tone: 'plain',
    };
  }
  const [change, next] = changes[sinceDraft];
  const since = `on the service since your draft of ${shortDateText(draftAt, now)}.`;
  return { text: `${nameIn(place.path)} ${change} ${since} ${next()}`, tone: 'bad' };
}

const comparing = (): string => `${keyName('editor.compare', 'F7')} compares.`;

/** Names a change of a file, with the next step. */
const changes = {
  changed: ['changed', comparing],
  replaced: ['changed', () => 'It is no longer text.'],
  created: ['was created', comparing],
  deleted: ['was deleted', () => `${keyName('editor.save', '^S')} asks what to do.`],
} as const;
