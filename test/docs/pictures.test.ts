import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { backgrounds, drawPicture, drawScreen, pictured } from '../../.config/screen-pictures.ts';
import { readDocument, root } from './documents.ts';

const files = pictured.flatMap((picture) =>
  backgrounds.map((background) => ({
    picture,
    background,
    file: `docs/pictures/${picture.name}-${background}.svg`,
  })),
);

// `npm run docs` writes them.
test.each(files)('$file shows the screen of its fixture', ({ picture, background, file }) => {
  expect(readDocument(file)).toBe(drawPicture(picture, background, root));
});

test('each picture is in the README, in dark and in light', () => {
  const readme = readDocument('README.md');
  for (const { file } of files) expect(readme).toContain(file);
  const kept = readdirSync(path.join(root, 'docs/pictures')).map((name) => `docs/pictures/${name}`);
  expect(kept.toSorted()).toEqual(files.map(({ file }) => file).toSorted());
});

test('text stands in its columns, in the colours of its role, with its signs escaped', () => {
  const svg = drawScreen(['ab <&> \u65e5x', '...ccc...c'], 10, 'dark');
  expect(svg).toContain(
    '<text x="12" y="25.5" textLength="16" lengthAdjust="spacingAndGlyphs">ab</text>',
  );
  expect(svg).toContain('>&lt;&amp;&gt;</text>');
  // The wide character has two columns, so the last one is the tenth.
  expect(svg).toMatch(/<rect x="84" y="12" width="8" height="18" fill="#1f5fa8"\/>/);
});

test('a row of a role without a text is drawn to its end', () => {
  expect(drawScreen(['', 'cccc'], 4, 'light')).toContain('width="32" height="18" fill="#0550ae"');
});
