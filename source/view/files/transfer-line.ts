import { nameIn } from '../../store/drafts/places.ts';
import type { Transfer } from '../../store/deck/screen/transfer.ts';
import { formatBytes } from '../../store/files/file-size.ts';
import { formatCount } from '../text/amount.ts';
import { type Line, plain } from '../text/line.ts';

/** Returns the progress of the running transfer, in total and of the current file. */
export function transferLine({ verb, progress }: Transfer): Line {
  if (verb === 'Collecting') return plain('Collecting the incident. ^C stops it.');
  if ('lines' in progress) {
    const done = `${formatCount(progress.linesDone)} of ${formatCount(progress.lines)} lines`;
    return plain(`${verb} ${done}. ^C stops it.`);
  }
  const { files, filesDone, bytes, bytesDone, current } = progress;
  const count = `${formatCount(Math.min(filesDone + 1, files))} of ${formatCount(files)}`;
  const total = bytes === undefined ? '' : ` of ${formatBytes(bytes)}${percent(bytesDone, bytes)}`;
  const file =
    current === undefined
      ? ''
      : `  ${nameIn(current.path)}${percent(current.bytesDone, current.bytes)}`;
  return plain(`${verb} ${count}, ${formatBytes(bytesDone)}${total}. ^C stops it.${file}`);
}

function percent(done: number, total: number): string {
  return total === 0 ? '' : ` ${Math.min(100, Math.floor((100 * done) / total))}%`;
}
