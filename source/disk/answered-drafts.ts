import type { AnsweredDrafts } from '../store/drafts/answered.ts';
import { createStateEntry } from './state-entry.ts';

/** Stores the ids of the answered drafts in `answered.json` of the state folder, by service. */
export function createAnsweredDrafts(
  stateFolder: string,
  service: string,
  onWrite: (written: Promise<void>) => void,
): AnsweredDrafts {
  const entry = createStateEntry(stateFolder, 'answered.json', service);
  return {
    read() {
      const ids = entry.read();
      return new Set(Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []);
    },
    write: (ids) => onWrite(entry.write(ids)),
  };
}
