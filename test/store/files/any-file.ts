import * as fc from 'fast-check';
import { codePoint } from '../../support/code-point.ts';

/** A file of a service; `isText` is true when an editor can open it. */
export interface AnyFile {
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly isText: boolean;
}

const words = [
  'port: 8080',
  '\tindented',
  '  two spaces',
  'trailing  \t ',
  'e\u{301}te\u{301}',
  '\u{1f469}\u{200d}\u{1f4bb}\u{1f1e9}\u{1f1ea}\u{1f44d}\u{1f3fd}',
  '\u{6f22}\u{5b57}\u{304b}\u{306a}\u{d55c}',
  '\u{5e9}\u{5dc}\u{5d5}\u{5dd} \u{202e}abc\u{202c} \u{645}\u{631}\u{62d}\u{628}\u{627}',
  '\u{feff}a mark inside',
  'separators\u{2028}\u{2029}\u{85}\v\f.',
  '\u{1b}[31mred\u{7f}\u{1}',
  '\u{10ffff}\u{fffd}\u{fffe}\u{e000}',
  '',
];

const line = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...words) },
  { weight: 4, arbitrary: fc.string({ unit: codePoint, maxLength: 12 }) },
);

const lineEnds = [['\n'], ['\r\n'], ['\r'], ['\n', '\r\n', '\r'], ['\n', '\r\n'], ['\n\r', '\r']];

const lined = fc
  .tuple(
    fc.constantFrom(...lineEnds),
    fc.array(fc.tuple(line, fc.nat()), { maxLength: 12 }),
    fc.boolean(),
    fc.boolean(),
  )
  .map(([ends, lines, mark, ending]) => {
    const last = lines.length - 1;
    const text = lines.map(([content, pick], at) =>
      at < last || ending ? content + ends[pick % ends.length] : content,
    );
    return (mark ? '\u{feff}' : '') + text.join('');
  });

const longLine = fc
  .constantFrom('x', '\u{1f600}', '\u{6f22}', 'e\u{301}')
  .map((unit) => `first\r\n${unit.repeat(Math.ceil(1_000_000 / unit.length))}\r\nlast`);

/** JSON that looks like an envelope around a file, or like an error body. */
const likeAnswer = (path: string) =>
  fc.constantFrom(
    { content: 'inside' },
    { path, content: 'inside' },
    { path, content: 'aW5zaWRl', encoding: 'base64' },
    { file: { path, content: 'inside' } },
    { success: true, file: { path, content: 'inside', encoding: 'utf-8' } },
    { data: { file: { path, content: 'inside' } } },
    { success: false, error: { code: 'not_found', message: 'no such file' } },
    { error: 'gone' },
    [{ content: 'inside' }],
    {},
  );

const jsonText = (path: string) =>
  fc
    .tuple(likeAnswer(path), fc.constantFrom(undefined, 2, '\t'), fc.constantFrom('', '\n', '\r\n'))
    .map(([json, indent, ending]) => JSON.stringify(json, undefined, indent) + ending);

const noText = fc
  .tuple(
    fc.uint8Array({ maxLength: 20 }),
    fc.constantFrom([0], [0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf8, 0x88], [0xc0, 0x80]),
    fc.uint8Array({ maxLength: 20 }),
  )
  .map((parts) => Buffer.concat(parts.map((part) => Buffer.from(part))));

const jsonEndings = ['.json', '.JSON', '', '.webmanifest'];
const otherEndings = ['.yaml', '.txt', '.js', '.conf', '.bin'];

/** Generates a file; the number in its path is unique in the service. */
const anyFile = (index: number): fc.Arbitrary<AnyFile> =>
  fc
    .tuple(
      fc.constantFrom('', 'config/', 'a b/\u{fc}/', '%2e#?/'),
      fc.constantFrom(...jsonEndings, ...otherEndings),
    )
    .chain(([folder, ending]) => {
      const path = `${folder}file ${index}${ending}`;
      const json = jsonEndings.includes(ending) ? 40 : 0;
      const text = fc.oneof(
        { weight: 40, arbitrary: lined },
        { weight: 1, arbitrary: longLine },
        { weight: json, arbitrary: jsonText(path) },
      );
      return fc.oneof(
        { weight: 9, arbitrary: text.map((content) => ({ path, bytes: Buffer.from(content) })) },
        { weight: 1, arbitrary: noText.map((bytes) => ({ path, bytes })) },
      );
    })
    .map(({ path, bytes }) => ({ path, bytes: new Uint8Array(bytes), isText: isText(bytes) }));

function isText(bytes: Uint8Array): boolean {
  return !bytes.includes(0) && Buffer.from(Buffer.from(bytes).toString()).equals(bytes);
}

/** Returns `count` files, the same ones for the same seed. */
export function filesOf(seed: number, count: number): readonly AnyFile[] {
  return Array.from({ length: count }, (_, index) => {
    const [file] = fc.sample(anyFile(index), { seed: seed + index, numRuns: 1 });
    if (file === undefined) throw new Error('nothing was generated');
    return file;
  });
}
