/** A word that somebody typed, with a text that no other word contains. */
export interface TypedWord {
  readonly text: string;
  /** Time at which the screen showed it in the editor, in ms. */
  readonly seenAt: number;
  /** True once a save of it was confirmed. */
  readonly isSaved: boolean;
}

/** A write of a file, as the service answered it. */
export interface FileWrite {
  readonly path: string;
  /** The content before and after; undefined for no file. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export interface Evidence {
  /** The words of each console process, oldest process first. */
  readonly processes: readonly {
    readonly words: readonly TypedWord[];
    /** Time of a kill -9, in ms; undefined where the process could end by itself. */
    readonly killedAt: number | undefined;
  }[];
  /** The contents of all files on the service, all drafts and the whole trash. */
  readonly remains: string;
  readonly writes: readonly FileWrite[];
}

/** Milliseconds that a draft may be behind what is seen, when a process is killed. */
const draftBehind = 1200;

/** Returns the promises that were broken: a word that is nowhere, a write that was sent twice. */
export function judgeDuel({ processes, remains, writes }: Evidence): readonly string[] {
  const lost = processes.flatMap(({ words, killedAt = Infinity }) =>
    words
      .filter(
        ({ text, seenAt, isSaved }) =>
          (isSaved || seenAt < killedAt - draftBehind) && !remains.includes(text),
      )
      .map((word) => lostSentence(word, killedAt, writes)),
  );
  const twice = writes.filter(({ before, after }) => before === after);
  return [
    ...lost,
    ...twice.map(({ path, after }) =>
      after === undefined ? `${path} was deleted twice` : `${path} was written twice: ${after}`,
    ),
  ];
}

function lostSentence(
  { text, seenAt, isSaved }: TypedWord,
  killedAt: number,
  writes: readonly FileWrite[],
): string {
  const age = Number.isFinite(killedAt)
    ? `, ${Math.round(killedAt - seenAt)} ms before a kill`
    : '';
  const written = writes.filter(({ after }) => after?.includes(text) === true).length;
  const replaced = writes.filter(
    ({ before, after }) => before?.includes(text) === true && after?.includes(text) !== true,
  ).length;
  const saved = isSaved ? ', though it was saved' : '';
  return `${text} is lost${saved}${age}: written ${written} times, replaced ${replaced} times`;
}
