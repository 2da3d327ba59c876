/** The parts of a log line that change none of its characters: colours, resets, a CR at its end. */

/** A range of a text; the end is exclusive. */
type Range = readonly [from: number, to: number];

/**
 * Sequences that programs write into logs and that don't move the cursor: SGR, erasing (`CSI J`,
 * `CSI K`), modes (`CSI ? h`), character sets (`ESC ( B`), keypads (`ESC =`), links (OSC 8), and SI
 * behind one of them (`tput sgr0` of a Linux console). ECMA-48, ECMA-35 and xterm's ctlseqs. Erased
 * text stays in the line, so that nothing can be hidden.
 */
const sequence =
  // eslint-disable-next-line no-control-regex
  /\x1b(?:\[(?:[\d:;]*m|[\d;]*[JK]|\?[\d;]*[hl])|[()*+\-./][ -/]?[0-~]|%[@G]|[=>]|\]8;[^\x00-\x1f\x7f-\x9f]*(?:\x07|\x1b\\))\x0f?/g;

const escape = '\x1b';
const carriageReturn = '\r';
const byteOrderMark = '\ufeff';
const noCodes: readonly Range[] = [];

/**
 * Returns the ranges of a line that are not shown, in order. A CR counts at the start and at the end
 * only, and a BOM at the start: elsewhere both would deceive the reader.
 */
export function silentCodes(text: string): readonly Range[] {
  const mayHaveEdges = hasEdge(text);
  if (!mayHaveEdges && !text.includes(escape)) return noCodes;
  const codes: Range[] = [];
  sequence.lastIndex = 0;
  for (let match = sequence.exec(text); match !== null; match = sequence.exec(text)) {
    codes.push([match.index, sequence.lastIndex]);
  }
  return mayHaveEdges ? withEdges(text, codes) : codes;
}

/** Returns whether a line may start or end with CR or BOM, before and behind its sequences. */
function hasEdge(text: string): boolean {
  if (text.includes(escape)) return text.includes(carriageReturn) || text.includes(byteOrderMark);
  return (
    text.endsWith(carriageReturn) ||
    text.startsWith(carriageReturn) ||
    text.startsWith(byteOrderMark)
  );
}

/** Adds the CR and BOM at the start of a text and the CR at its end to the sequences in it. */
function withEdges(text: string, sequences: readonly Range[]): readonly Range[] {
  const before: Range[] = [];
  let start = 0;
  let first = 0;
  for (;;) {
    const next = sequences[first];
    if (next?.[0] === start) first += 1;
    else if (text[start] !== carriageReturn && text[start] !== byteOrderMark) break;
    const code = next?.[0] === start ? next : ([start, start + 1] as const);
    before.push(code);
    start = code[1];
  }
  const behind: Range[] = [];
  let end = text.length;
  let last = sequences.length;
  while (end > start) {
    const previous = sequences[last - 1];
    if (previous?.[1] === end) last -= 1;
    else if (text[end - 1] !== carriageReturn) break;
    const code = previous?.[1] === end ? previous : ([end - 1, end] as const);
    behind.push(code);
    end = code[0];
  }
  return [...before, ...sequences.slice(first, last), ...behind.reverse()];
}

/** Removes the silent codes from a text. */
export function stripSilentCodes(text: string): string {
  if (!hasEdge(text)) return text.includes(escape) ? text.replaceAll(sequence, '') : text;
  let stripped = '';
  let at = 0;
  for (const [from, to] of silentCodes(text)) {
    stripped += text.slice(at, from);
    at = to;
  }
  return stripped + text.slice(at);
}

/** Code units that are searched for the end of a code that is cut. */
const longestCode = 64;

/** Code units searched for each one wanted, as a line may consist of silent codes alone. */
const searchFactor = 8;

/** Returns the start of a line with at most `units` code units, not counting its silent codes. */
export function truncateRawText(text: string, units: number): string {
  const head = text.slice(0, units);
  if (head.length === text.length) return head;
  if (silentCodes(head).length === 0 && codeEndBefore(text, units, 0) === units) return head;
  const searched = text.slice(0, units * searchFactor);
  let room = units;
  let at = 0;
  for (const [from, to] of silentCodes(searched)) {
    const plain = from - at;
    if (plain >= room) break;
    room -= plain;
    at = to;
  }
  return text.slice(0, codeEndBefore(text, Math.min(at + room, searched.length), at));
}

/** Returns an offset, or the beginning of a code that it lies inside, at or behind another offset. */
function codeEndBefore(text: string, offset: number, least: number): number {
  const last = offset === 0 ? -1 : text.lastIndexOf(escape, offset - 1);
  if (last < least) return offset;
  const [code] = silentCodes(text.slice(last, last + longestCode));
  return code?.[0] === 0 && last + code[1] > offset ? last : offset;
}

/**
 * Maps ranges of a text without its silent codes to the text with them.
 *
 * @param parts not empty, in order and not overlapping. They start after codes and end before them.
 */
export function mapToRawText(text: string, parts: readonly Range[]): readonly Range[] {
  const ranges = parts.length === 0 ? noCodes : silentCodes(text);
  if (ranges.length === 0) return parts;
  /** The offset of each code in the text without codes, and the length of all codes up to it. */
  const codes: { readonly at: number; readonly length: number }[] = [];
  let length = 0;
  for (const [from, to] of ranges) {
    const at = from - length;
    length += to - from;
    codes.push({ at, length });
  }
  let passedCodes = 0;
  const mapOffset = (offset: number, isStart: boolean): number => {
    for (let next = codes[passedCodes]; next !== undefined; next = codes[passedCodes]) {
      if (isStart ? next.at > offset : next.at >= offset) break;
      passedCodes += 1;
    }
    return offset + (codes[passedCodes - 1]?.length ?? 0);
  };
  return parts.map(([from, to]) => [mapOffset(from, true), mapOffset(to, false)] as const);
}
