import { nameIn } from '../../store/drafts/places.ts';
import type { Transfer } from '../../store/deck/screen/transfer.ts';
import { formatBytes, formatCount } from '../text/amount.ts';
import { type Line, plain } from '../text/line.ts';

/** The transfer that is under way: in all, then the file that is on its way. */
export function transferLine({ verb, progress }: Transfer): Line {
  if ('lines' in progress) {
    const done = `${formatCount(progress.linesDone)} of ${formatCount(progress.lines)} lines`;
    return plain(`${verb} ${done}. ^C ends it.`);
  }
  const { files, filesDone, bytes, bytesDone, current } = progress;
  const count = `${formatCount(Math.min(filesDone + 1, files))} of ${formatCount(files)}`;
  const all = bytes === undefined ? '' : ` of ${formatBytes(bytes)}${percent(bytesDone, bytes)}`;
  const each =
    current === undefined
      ? ''
      : `  ${nameIn(current.path)}${percent(current.bytesDone, current.bytes)}`;
  return plain(`${verb} ${count}, ${formatBytes(bytesDone)}${all}. ^C ends it.${each}`);
}

function percent(done: number, all: number): string {
  return all === 0 ? '' : ` ${Math.min(100, Math.floor((100 * done) / all))}%`;
}
