import { readdirSync, readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findForeignFormat } from '../../../source/contract/sdl/reader.ts';
import { parseSdl } from '../../../source/contract/sdl/parse.ts';
import { summariseSdl } from '../../../source/contract/sdl/reading.ts';
import { readCorpus } from './corpus.ts';

const compose = `version: "3.8"
services:
  web:
    image: nginx
    ports:
      - "8080:80"
    environment:
      FOO: bar
`;

describe('the file of another tool', () => {
  it.each([
    ['a Compose file', compose],
    ['a Compose file', 'services:\n  db:\n    image: postgres\n    restart: always\n'],
    ['a Compose file', 'name: x\nservices:\n  db:\n    image: postgres\nvolumes:\n  data:\n'],
    [
      'a Kubernetes manifest',
      '---\napiVersion: v1\nkind: Service\nmetadata:\n  name: a\n---\nkind: x\n',
    ],
    ['a Kubernetes manifest', 'kind: Deployment\napiVersion: apps/v1\n'],
    [
      'a Dockerfile',
      '# syntax=docker/dockerfile:1\n\nARG V=20\nFROM node:${V} AS build\nRUN npm ci\n',
    ],
    ['a Dockerfile', 'from alpine\n'],
    ['a Procfile', 'web: node server.js --port $PORT\nworker: bundle exec sidekiq\n'],
    [
      'the configuration of Fly.io (fly.toml)',
      '# x\napp = "shop"\nprimary_region = "fra"\n\n[http_service]\n',
    ],
    [
      'a blueprint of Render (render.yaml)',
      'services:\n  - type: web\n    name: a\n    runtime: node\n',
    ],
    ['a package.json', '{\n  "name": "a",\n  "scripts": { "start": "node ." }\n}\n'],
  ])('is %s: %j', (name, text) => {
    expect(findForeignFormat(text)?.name).toBe(name);
    expect(findForeignFormat(text.replaceAll('\n', '\r\n'))?.name).toBe(name);
    expect(summariseSdl(text).problems).toMatchObject([
      {
        line: 1,
        column: 1,
        sentence: expect.stringContaining(
          `This is ${name}, not a definition (docs/host.md#definitions).`,
        ),
      },
    ]);
    expect(parseSdl(text)).toMatchObject({
      ok: false,
      problems: [{ field: 'sdl', expected: `a definition, not ${name}` }],
    });
  });

  it('tells what its keys are called in a definition', () => {
    expect(summariseSdl(compose).problems[0]?.sentence).toContain(
      'Use env for environment, expose for ports',
    );
    const own =
      'version: "2.0"\nservices:\n  web:\n    environment: [A=1]\n    ports: [80]\nprofiles:\n';
    const sentences = summariseSdl(own).problems.map(({ sentence }) => sentence);
    expect(sentences).toContain('Unknown key environment. Did you mean env?');
    expect(sentences).toContain('Unknown key ports. Did you mean expose?');
  });

  it('is no definition of ours, and nothing that is just begun', () => {
    const own = [
      '',
      'name: shop\n',
      'version: "2.0"\nservices:\n  web:\n    image: nginx\n',
      'web: [a]\n',
    ];
    const folder = new URL('../../fixtures/sdl/', import.meta.url);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.yaml'))
      .map((file) => readFileSync(new URL(file, folder), 'utf8'));
    expect(files.length).toBeGreaterThan(20);
    const corpus = readCorpus().flatMap(([, cases]) => cases.map(({ text }) => text));
    const found = [...own, ...files, ...corpus].filter(
      (text) => findForeignFormat(text) !== undefined,
    );
    expect(found).toEqual([]);
  });

  it('is recognised in bounded time', () => {
    const pieces = fc.constantFrom(
      'web: a',
      '\n',
      ' ',
      '#',
      'FROM ',
      'ARG x',
      '- ',
      'services:',
      '{',
      '"name":',
    );
    fc.assert(
      fc.property(
        fc.array(pieces, { maxLength: 30 }),
        fc.integer({ min: 1, max: 50 }),
        (parts, times) => {
          const name = findForeignFormat(parts.join('').repeat(times))?.name;
          expect(name === undefined || name.length > 0).toBe(true);
        },
      ),
    );
  });
});
