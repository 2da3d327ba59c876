import type { DownloadOutcome } from './downloads.ts';
import type { UploadOutcome } from './uploads.ts';

/** Summarizes an upload in a message. @param place name of the service. */
export function uploadSummary(outcome: UploadOutcome, place: string): string {
  const { sent, skipped, unknown, unsent, leftOut, error } = outcome;
  return summary(error?.sentence, [
    `${formatFiles(sent.length)} uploaded to ${place}`,
    formatCount(unknown.length, 'may have arrived'),
    formatCount(unsent.length, 'not sent'),
    formatCount(skipped.length, 'left as it was', 'left as they were'),
    formatCount(leftOut.length, 'left out'),
  ]);
}

/** Summarizes a download in a message. @param folder local target folder. */
export function downloadSummary(outcome: DownloadOutcome, folder: string): string {
  const { saved, ambiguous, skipped, unsaved, leftOut, error } = outcome;
  return summary(error?.sentence, [
    `${formatFiles(saved.length)} saved to ${folder}`,
    formatCount(ambiguous.length, 'possibly with an envelope', 'possibly with envelopes'),
    formatCount(unsaved.length, 'not saved'),
    formatCount(skipped.length, 'left as it was', 'left as they were'),
    formatCount(leftOut.length, 'left out'),
  ]);
}

function summary(error: string | undefined, parts: readonly string[]): string {
  const counts = `${parts.filter((part) => part !== '').join(', ')}.`;
  return error === undefined ? counts : `${error} ${counts}`;
}

function formatFiles(count: number): string {
  return count === 1 ? '1 file' : `${count.toLocaleString('en')} files`;
}

function formatCount(count: number, one: string, several = one): string {
  if (count === 0) return '';
  return `${count.toLocaleString('en')} ${count === 1 ? one : several}`;
}
