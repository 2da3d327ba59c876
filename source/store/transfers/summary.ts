import type { DownloadOutcome } from './downloads.ts';
import type { UploadOutcome } from './uploads.ts';

/** What an upload came to, for a person. `place` is what its service is called. */
export function uploadSummary(outcome: UploadOutcome, place: string): string {
  const { sent, skipped, unknown, unsent, leftOut, error } = outcome;
  return summary(error?.sentence, [
    `${filesOf(sent.length)} uploaded to ${place}`,
    counted(unknown.length, 'may have arrived'),
    counted(unsent.length, 'not sent'),
    counted(skipped.length, 'left as it was', 'left as they were'),
    counted(leftOut.length, 'left out'),
  ]);
}

/** What a download came to, for a person. `folder` is the one it went to. */
export function downloadSummary(outcome: DownloadOutcome, folder: string): string {
  const { saved, ambiguous, skipped, unsaved, leftOut, error } = outcome;
  return summary(error?.sentence, [
    `${filesOf(saved.length)} saved to ${folder}`,
    counted(ambiguous.length, 'perhaps with an envelope around it', 'perhaps with envelopes'),
    counted(unsaved.length, 'not saved'),
    counted(skipped.length, 'left as it was', 'left as they were'),
    counted(leftOut.length, 'left out'),
  ]);
}

function summary(error: string | undefined, parts: readonly string[]): string {
  const counts = `${parts.filter((part) => part !== '').join(', ')}.`;
  return error === undefined ? counts : `${error} ${counts}`;
}

function filesOf(count: number): string {
  return count === 1 ? '1 file' : `${count.toLocaleString('en')} files`;
}

function counted(count: number, one: string, several = one): string {
  if (count === 0) return '';
  return `${count.toLocaleString('en')} ${count === 1 ? one : several}`;
}
