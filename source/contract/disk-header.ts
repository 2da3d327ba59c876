/**
 * The header by which hostdeck's own host tells that its disk is low. The contract names no headers of
 * answers, so that a client may meet none, and ignores one in another form.
 */

export const diskHeader = 'hostdeck-disk';

/** The space of a disk that is low, in bytes. */
export interface LowDisk {
  readonly free: number;
  /** Free space below which the host refuses new work. */
  readonly kept: number;
}

/** Returns the value of the header: a dictionary (RFC 9651, section 3.2). */
export function formatLowDisk({ free, kept }: LowDisk): string {
  return `free=${free}, kept=${kept}`;
}

/** Parses the value of the header; undefined for none, and for another form. */
export function parseLowDisk(value: string | undefined): LowDisk | undefined {
  const [, free, kept] = /^free=(\d{1,16}), kept=(\d{1,16})$/.exec(value ?? '') ?? [];
  return free === undefined ? undefined : { free: Number(free), kept: Number(kept) };
}
