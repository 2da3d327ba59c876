/** Says the lines of a followed log: each one while they are few, else how many there were. */

/** Milliseconds in which {@link mostLines} are said one by one. */
export const voiceWindow = 1000;
const mostLines = 2;

/** Lines that were said, and those that wait to be counted. */
export interface LogVoice {
  /** Times at which a line was said, in ms. */
  readonly saidAt: readonly number[];
  readonly held: number;
  /** Text of the last line that waits. */
  readonly last: string;
}

export const silentVoice: LogVoice = { saidAt: [], held: 0, last: '' };

export interface Voiced {
  readonly lines: readonly string[];
  readonly voice: LogVoice;
}

/**
 * Takes new lines of the log at a time in ms.
 * @param count number of the new lines.
 * @param texts the last of them, at least as many as are said one by one.
 */
export function voiceLines(
  voice: LogVoice,
  count: number,
  texts: readonly string[],
  at: number,
): Voiced {
  if (count === 0) return { lines: [], voice };
  const saidAt = recent(voice, at);
  if (voice.held === 0 && saidAt.length + count <= mostLines) {
    const lines = texts.slice(-count);
    return { lines, voice: { ...silentVoice, saidAt: [...saidAt, ...lines.map(() => at)] } };
  }
  return { lines: [], voice: { saidAt, held: voice.held + count, last: texts.at(-1) ?? '' } };
}

/** Says the lines that wait, in one line. */
export function flushVoice(voice: LogVoice, at: number): Voiced {
  const { held, last } = voice;
  if (held === 0) return { lines: [], voice };
  const line = held === 1 ? last : `${held.toLocaleString('en')} lines. Last: ${last}`;
  // Counts as all lines of its window, so that a busy log is said once in each.
  return { lines: [line], voice: { ...silentVoice, saidAt: Array(mostLines).fill(at) } };
}

function recent({ saidAt }: LogVoice, at: number): readonly number[] {
  return saidAt.filter((said) => at - said >= 0 && at - said < voiceWindow);
}
