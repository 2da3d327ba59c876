import { existsSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** A position in a stack trace: a built file, its line and its column, both from 1. */
const position = /((?:file:\/\/)?\/[^\s()]+\.js):(\d+):(\d+)/g;

/**
 * Returns a stack trace with source lines in place of those of built files that have a source map
 * beside them, as a build in a checkout does. Positions without a map stay as they are.
 */
export function withSourceLines(trace: string): string {
  const maps = new Map<string, SourceMap | undefined>();
  return trace.replaceAll(
    position,
    (built: string, place: string, line: string, column: string) => {
      const file = place.startsWith('file:') ? fileURLToPath(place) : place;
      const map = maps.get(file) ?? readMap(`${file}.map`);
      maps.set(file, map);
      const entry = map?.findEntry(Number(line) - 1, Number(column) - 1);
      if (entry === undefined || !('originalSource' in entry)) return built;
      const source = path.resolve(path.dirname(file), entry.originalSource);
      return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
    },
  );
}

function readMap(file: string): SourceMap | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return new SourceMap(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}
