/** Tells whether a run is silent where earlier starts wrote lines. */
import { chance, mostStarts } from './judge-errors.ts';
import { busySeconds, lastBusySecond, longestPause, type LogSample, sumOf } from './sample.ts';

export interface SilenceJudgement {
  /** `some` is longer than usual, but may be chance. */
  readonly kind: 'usual' | 'some' | 'worse';
  /** Seconds since the last line of the run, or since its start. */
  readonly seconds: number;
  /** Lines that earlier starts wrote in these seconds, on average. */
  readonly expected: number;
}

/** Lines without which a silence proves nothing. */
const fewestExpected = 10;

/** A silence is suspicious when it is longer than each pause before, and proves something at twice. */
const provingPauses = 2;
const doubt = 1 / 20;

/** Starts that have to agree that a service writes its first lines at once, and how early. */
const fewestPromptStarts = 3;
const promptPart = 1 / 5;

/**
 * Compares the silence at the end of a run with the same seconds after earlier starts. Lines come in
 * bursts as well, so the seconds are counted in which lines were written, and the silence has to be
 * twice as long as any pause before. A run without a line is silent too where each of at least three
 * starts wrote ten lines at once. The hour before proves nothing: a service may start slowly.
 */
export function judgeSilence(
  run: LogSample,
  starts: readonly LogSample[],
  alpha = chance,
): SilenceJudgement {
  const length = run.lines.length;
  const from = lastBusySecond(run.lines);
  const seconds = length - from;
  // A start that was seen in part may have written more lines.
  const whole = starts.slice(0, mostStarts).flatMap(({ lines }) => {
    return lines.length < length ? [] : [lines.slice(0, length)];
  });
  const same = whole.map((lines) => lines.slice(from));
  const expected = whole.length === 0 ? 0 : sumOf(same.map(sumOf)) / whole.length;
  const usual = { kind: 'usual', seconds, expected } as const;
  if (expected < fewestExpected) return usual;
  const busy = sumOf(same.map(busySeconds));
  // The rate of such seconds is unknown: gamma distribution, as for errors.
  const probability = (whole.length / (whole.length + 1)) ** (busy + 0.5);
  const pause = Math.max(...whole.map((lines) => longestPause(withoutStart(lines, from))));
  const isLasting = probability < alpha && seconds > provingPauses * pause;
  if (isLasting || (from === 0 && arePrompt(whole, length))) return { ...usual, kind: 'worse' };
  const isDoubtful = from === 0 || (probability < doubt && seconds > pause);
  return isDoubtful ? { ...usual, kind: 'some' } : usual;
}

/**
 * Returns the counts of a start from its first line on, or from `from` on if that is earlier: how long
 * a start takes tells nothing of the pauses of a run that has written lines.
 */
function withoutStart(lines: readonly number[], from: number): readonly number[] {
  const first = lines.findIndex((count) => count > 0);
  return lines.slice(first === -1 ? from : Math.min(first, from));
}

function arePrompt(starts: readonly (readonly number[])[], length: number): boolean {
  const early = Math.ceil(length * promptPart);
  return (
    starts.length >= fewestPromptStarts &&
    starts.every((lines) => sumOf(lines.slice(0, early)) >= fewestExpected)
  );
}
