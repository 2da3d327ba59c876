import { describe, expect, it } from 'vitest';
import type { FilesPlace } from '../../../../source/store/files/files.ts';
import { type Line, plain, span } from '../../../../source/view/text/line.ts';
import {
  createCodeUnderlines,
  underlined,
} from '../../../../source/view/log/rows/code-underlines.ts';

const web = { deploymentId: 'd-1', service: 'web' };

/** Returns the underlined parts of a line's text. */
function parts(line: Line): readonly string[] {
  return line.flatMap(({ text, style }) => (style?.underline === true ? [text] : []));
}

function underlinesWith(lists: Readonly<Record<string, readonly string[]>>) {
  const wanted: FilesPlace[] = [];
  const code = createCodeUnderlines(
    { paths: ({ service }) => lists[service], want: (place) => wanted.push(place) },
    ['d-1', 'd-2'],
  );
  const draw = (text: string, line: { serviceName?: string; member?: number } = {}) =>
    parts(code.of({ serviceName: 'web', ...line }, plain(text)));
  return { code, draw, wanted };
}

describe('a place in code', () => {
  it('is underlined where it matches a file of the service that wrote the line', () => {
    const { draw } = underlinesWith({ web: ['lib/cart.js'] });
    expect(draw('    at add (/app/lib/cart.js:12:5)')).toEqual(['/app/lib/cart.js:12:5']);
    expect(draw('    at add (/app/lib/pay.js:12:5)')).toEqual([]);
    expect(draw('GET /cart 200')).toEqual([]);
  });

  it('needs the list of files, which is fetched once the line was drawn', () => {
    const { code, draw, wanted } = underlinesWith({});
    expect(draw('at /app/lib/cart.js:12:5')).toEqual([]);
    draw('at /app/lib/cart.js:12:5', { member: 1 });
    draw('no place');
    expect(wanted).toEqual([]);
    code.fetchMissing();
    expect(wanted).toEqual([web, { ...web, deploymentId: 'd-2' }]);
    code.fetchMissing();
    expect(wanted).toHaveLength(2);
  });

  it('keeps the roles and styles of the text', () => {
    const text = [span('at a.js', 'bad'), { text: ':12 on', style: { bold: true } }];
    expect(underlined(text, [[3, 10]])).toEqual([
      { text: 'at ', token: 'bad' },
      { text: 'a.js', token: 'bad', style: { underline: true } },
      { text: ':12', style: { bold: true, underline: true } },
      { text: ' on', style: { bold: true } },
    ]);
  });
});
