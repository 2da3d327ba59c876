/** The marks of a list without any; always the same set, so that nothing redraws. */
export const noMarks: ReadonlySet<string> = new Set();

/** Returns marks on all shown rows; none when all of them are marked already. */
export function allOrNoMarks(
  marks: ReadonlySet<string>,
  shown: readonly string[],
): ReadonlySet<string> {
  return shown.every((id) => marks.has(id)) ? noMarks : new Set(shown);
}

/** Returns the marks with that of one row set or removed. */
export function toggledMark(marks: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(marks);
  if (!next.delete(id)) next.add(id);
  return next.size === 0 ? noMarks : next;
}
