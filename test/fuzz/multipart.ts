import type { Chance } from './chance.ts';
import { filePath, type Target } from './values.ts';

/** Builds an upload, headers and body, that may be malformed. */
export function multipart(
  chance: Chance,
  target: Target,
): { readonly headers: readonly string[]; readonly body: Buffer } {
  const boundary = chance.of([
    'xyz',
    '----WebKitFormBoundary7MA4',
    "a'()+_,-./:=?",
    'b'.repeat(70),
  ]);
  const parts = Array.from(
    {
      length: chance.weighed([
        [6, 1],
        [4, 2],
        [2, 5],
        [1, 60],
        [1, 0],
      ]),
    },
    () => part(chance, target, boundary),
  );
  const end = chance.weighed([
    [12, `--${boundary}--\r\n`],
    [1, `--${boundary}--`],
    [1, `--${boundary}\r\n`],
    [1, ''],
    [1, `--${boundary}--\r\nepilogue`],
  ]);
  const body = Buffer.concat([...parts, Buffer.from(end)]);
  const contentType = chance.weighed([
    [20, `multipart/form-data; boundary="${boundary}"`],
    [4, `multipart/form-data; boundary=${boundary}`],
    [1, 'multipart/form-data; boundary=other'],
    [1, 'multipart/form-data'],
    [1, 'multipart/form-data; boundary='],
    [1, `multipart/form-data; boundary="${'c'.repeat(500)}"`],
    [1, `multipart/mixed; boundary=${boundary}`],
    [1, `multipart/form-data; charset=utf-16; boundary=${boundary}`],
  ]);
  const cut = chance.once(12) ? body.subarray(0, chance.below(body.length + 1)) : body;
  return { headers: [`Content-Type: ${contentType}`], body: cut };
}

function part(chance: Chance, target: Target, boundary: string): Buffer {
  const path = filePath(chance, target).toWellFormed();
  const quoted = path.replaceAll('"', '%22').replaceAll('\n', '%0A');
  const disposition = chance.weighed<() => string>([
    [24, () => `form-data; name="files"; filename="${quoted}"`],
    [2, () => `form-data; name="files"; filename*=UTF-8''${encodeURIComponent(path)}`],
    [1, () => `form-data; name="files"; filename*=UTF-16''%ff%fe%zz`],
    [1, () => 'form-data; name="files"'],
    [1, () => 'form-data; name="files"; filename=""'],
    [
      1,
      () => `form-data; name="${chance.of(['file', '__proto__', 'toString', ''])}"; filename="a"`,
    ],
    [1, () => 'form-data; name="note"'],
    [1, () => 'attachment; filename="a"'],
    [1, () => `form-data; name="files"; filename="${'f'.repeat(20_000)}"`],
    [1, () => 'form-data; name="files; filename="a'],
    [1, () => `form-data; name="files"; filename="a\0b"`],
  ])();
  const headers = [
    ...(chance.once(30) ? [] : [`Content-Disposition: ${disposition}`]),
    ...(chance.once(4)
      ? [
          chance.of([
            'Content-Type: application/json',
            'Content-Type: text/plain',
            'Content-Type: ;',
          ]),
        ]
      : []),
    ...(chance.once(20) ? ['Content-Transfer-Encoding: base64'] : []),
    ...(chance.once(40) ? Array.from({ length: 3000 }, (_, index) => `X-${index}: y`) : []),
    ...(chance.once(40) ? ['no header at all'] : []),
  ];
  const content = chance.weighed<() => Buffer>([
    [12, () => chance.bytes(chance.below(60))],
    [2, () => Buffer.from(`\r\n--${boundary.slice(0, -1)}`)],
    [1, () => Buffer.from(`\r\n--${boundary}`)],
    [1, () => Buffer.alloc(70_000, 'x')],
    [1, () => Buffer.from('{"a":1')],
  ])();
  return Buffer.concat([
    Buffer.from(`--${boundary}\r\n${headers.join('\r\n')}\r\n\r\n`),
    content,
    Buffer.from('\r\n'),
  ]);
}
