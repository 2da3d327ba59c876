/** Underlines the places in code that match a file of the service, in the rows that are drawn. */
import type { LogLine } from '../../../contract/logs.ts';
import type { FilesPlace } from '../../../store/files/files.ts';
import type { ServiceFiles } from '../../../store/files/service-files.ts';
import { codePlaces } from '../../../store/log/code/code-places.ts';
import { fileOfPlace } from '../../../store/log/code/file-at.ts';
import type { Line, Span } from '../../text/line.ts';

/** The writer of a line. */
type WrittenBy = Pick<LogLine, 'deploymentId' | 'serviceName'> & {
  readonly member?: number | undefined;
};

/** Underlines places for one state of the file lists; another state makes another one. */
export interface CodeUnderlines {
  /** Returns the text of a line with its places underlined. */
  of(line: WrittenBy, text: Line): Line;
  /** Fetches the file lists that drawn lines lacked. */
  fetchMissing(): void;
}

/** @param deploymentIds of the deployments that write the log, by their numbers in a joined one. */
export function createCodeUnderlines(
  files: Pick<ServiceFiles, 'paths' | 'want'>,
  deploymentIds: readonly string[],
): CodeUnderlines {
  const missing = new Map<string, FilesPlace>();
  return {
    of(line, text) {
      const deploymentId = line.deploymentId ?? deploymentIds[line.member ?? 0];
      const { serviceName: service } = line;
      if (deploymentId === undefined || service === undefined) return text;
      const places = codePlaces(text.map((part) => part.text).join(''));
      if (places.length === 0) return text;
      const paths = files.paths({ deploymentId, service });
      if (paths === undefined)
        missing.set(`${deploymentId}\n${service}`, { deploymentId, service });
      const ranges = places
        .filter((place) => paths !== undefined && fileOfPlace(place, paths) !== undefined)
        .map(({ from, to }) => [from, to] as const);
      return underlined(text, ranges);
    },
    fetchMissing() {
      for (const place of missing.values()) files.want(place);
      missing.clear();
    },
  };
}

/** Returns a text with ranges of it underlined; they are in order and don't overlap. */
export function underlined(
  text: Line,
  ranges: readonly (readonly [from: number, to: number])[],
): Line {
  if (ranges.length === 0) return text;
  const pieces: Span[] = [];
  let start = 0;
  for (const part of text) {
    const end = start + part.text.length;
    const cuts = [start, ...ranges.flat().filter((cut) => cut > start && cut < end), end];
    for (const [index, from] of cuts.slice(0, -1).entries()) {
      const piece = {
        ...part,
        text: part.text.slice(from - start, (cuts[index + 1] ?? end) - start),
      };
      const isWithin = ranges.some((range) => range[0] <= from && from < range[1]);
      pieces.push(isWithin ? { ...piece, style: { ...part.style, underline: true } } : piece);
    }
    start = end;
  }
  return pieces;
}
