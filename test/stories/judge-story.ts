/** Tells whether a story ended as it had to. */
import type { Story } from './story.ts';

/** The end of a story, as the console told it. */
export interface Ending {
  readonly verdict: string;
  /** The message with the figures. */
  readonly told: string;
  /** Whether the undo of a run that is worse brought back the bytes of before. */
  readonly areBytesBack?: boolean;
  /** The verdict on the run with the files of before. */
  readonly restored?: string;
}

/** Unclear verdicts that ten stories may have. */
export const mostUnclear = 3;

/** Returns why a story ended wrongly; undefined where it did not. Unclear is never wrong, only useless. */
export function wrongIn(
  { verdict: expected }: Pick<Story, 'verdict'>,
  { verdict, areBytesBack, restored }: Ending,
): string | undefined {
  if (verdict !== expected && verdict !== 'unclear') return `${verdict} instead of ${expected}`;
  if (verdict !== 'worse') return undefined;
  if (areBytesBack !== true) return 'the old bytes are not back';
  return restored === 'worse' ? 'the run with the old files is worse' : undefined;
}
