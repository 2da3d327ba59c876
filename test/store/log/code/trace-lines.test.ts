import { describe, expect, it } from 'vitest';
import {
  filePlaces,
  placesOfTrace,
  traceAround,
} from '../../../../source/store/log/code/trace-lines.ts';
import { traceFiles, traceSamples } from './traces.ts';

/** Lines of the log around each trace, which are no part of it. */
const surroundings = ['GET /cart 200 in 12ms', 'listening on 127.0.0.1:8080'];

/** Returns the places that Enter offers on a line of a log. */
function offered(lines: readonly string[], at: number): readonly string[] {
  const trace = traceAround(lines[at] ?? '', lines.slice(0, at).toReversed(), lines.slice(at + 1));
  return filePlaces(trace, placesOfTrace(trace), traceFiles).map(
    ({ file, line }) => `${file}:${line}`,
  );
}

function logOf(text: string): readonly string[] {
  return [...surroundings, ...text.split('\n'), ...surroundings];
}

describe('Enter on a line of a stack trace', () => {
  it.each(traceSamples)('$name: offers its places and no other', ({ text, places }) => {
    const lines = logOf(text);
    const all = new Set(lines.flatMap((_, at) => offered(lines, at)));
    expect([...all].toSorted()).toEqual(places.toSorted());
    expect(offered([text], 0).toSorted()).toEqual(places.toSorted());
  });

  it.each(traceSamples)('$name: offers the frame nearest to the failure first', (sample) => {
    const { text, places, first = places[0] } = sample;
    expect(offered(logOf(text), surroundings.length)[0]).toBe(first);
    expect(offered([text], 0)[0]).toBe(first);
  });

  it('offers the place of the line itself first', () => {
    const [{ text }] = traceSamples as readonly [(typeof traceSamples)[number]];
    expect(offered(logOf(text), surroundings.length + 4)).toEqual([
      'src/server.js:40',
      'src/cart/index.js:12',
    ]);
  });

  it('offers nothing on the lines around it', () => {
    for (const { text } of traceSamples) {
      const lines = logOf(text);
      expect(offered(lines, 0)).toEqual([]);
      expect(offered(lines, lines.length - 1)).toEqual([]);
    }
  });

  it('reads at most 100 lines on either side', () => {
    let reads = 0;
    function* endless() {
      for (;;) {
        reads += 1;
        yield '    at add (/app/server.js:1:1)';
      }
    }
    const trace = traceAround('    at add (/app/server.js:1:1)', endless(), endless());
    expect(trace.lines).toHaveLength(201);
    expect(reads).toBeLessThan(205);
  });
});
