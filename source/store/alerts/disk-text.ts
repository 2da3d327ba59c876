import type { LowDisk } from '../../contract/disk-header.ts';

const mebibyte = 2 ** 20;

/** Returns the clause about a low disk, and what is known about it, to follow the clause. */
export function lowDiskText({ free }: LowDisk): { readonly text: string; readonly facts: string } {
  return { text: 'The disk of the host is low', facts: `: ${mebibytes(free)} free` };
}

/** Returns what a low disk leads to, and what helps. */
export function lowDiskAdvice({ free, kept }: LowDisk): string {
  const effect =
    free < kept
      ? 'New deployments and files are refused.'
      : `Below ${mebibytes(kept)}, new deployments and files are refused.`;
  return `${effect} Close deployments, or free space on the disk of the host.`;
}

function mebibytes(bytes: number): string {
  return `${Math.floor(bytes / mebibyte).toLocaleString('en')} MiB`;
}
