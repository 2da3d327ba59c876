import { readFileSync, writeFileSync } from 'node:fs';

/** Rows of the screens of a walk, by their names. */
export type KeptScreens = ReadonlyMap<string, readonly string[]>;

const fileOf = (walk: string, size: string) =>
  new URL(`../../fixtures/screens/walks/${walk}-${size}.txt`, import.meta.url);

/** Starts the line that names a screen; no row of one begins with it. */
const heading = '## ';

/** Reads the screens of a walk at a size. */
export function readKept(walk: string, size: string): KeptScreens {
  const text = readFileSync(fileOf(walk, size), 'utf8').replace(/\n$/, '');
  const [, ...parts] = `\n${text}`.split(`\n${heading}`);
  return new Map(
    parts.map((part) => {
      const [name = '', ...rows] = part.split('\n');
      return [name, rows];
    }),
  );
}

export function writeKept(walk: string, size: string, screens: KeptScreens): void {
  const parts = [...screens].map(([name, rows]) => `${heading}${name}\n${rows.join('\n')}\n`);
  writeFileSync(fileOf(walk, size), parts.join(''));
}
