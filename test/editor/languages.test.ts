import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { languageOf } from '../../source/editor/languages.ts';

describe('the language of a file', () => {
  test.each([
    ['config/app.yaml', 'yaml'],
    ['compose.YML', 'yaml'],
    ['package.json', 'json'],
    ['a.js', 'javascript'],
    ['a.mjs', 'javascript'],
    ['a.jsx', 'javascript'],
    ['a.ts', 'typescript'],
    ['a.tsx', 'tsx'],
    ['app.py', 'python'],
    ['index.html', 'html'],
    ['style.css', 'css'],
    ['README.md', 'markdown'],
    ['pyproject.toml', 'toml'],
    ['Cargo.lock', 'toml'],
    ['php.ini', 'properties'],
    ['.env', 'properties'],
    ['.env.production', 'properties'],
    ['run.sh', 'shell'],
    ['.bashrc', 'shell'],
    ['Dockerfile', 'dockerfile'],
    ['Dockerfile.dev', 'dockerfile'],
    ['web.dockerfile', 'dockerfile'],
    ['nginx.conf', 'nginx'],
    ['etc/nginx/conf.d/web.conf', 'nginx'],
    ['etc/nginx/sites-enabled/default', 'nginx'],
    ['schema.sql', 'sql'],
    ['notes.txt', undefined],
    ['redis.conf', undefined],
    ['yaml', undefined],
    ['.yaml/file', undefined],
    ['toString', undefined],
    ['a.constructor', undefined],
    ['', undefined],
  ])('is for %s: %s', (path, language) => {
    expect(languageOf(path)).toBe(language);
  });

  test.each([
    ['#!/bin/sh', 'shell'],
    ['#!/usr/bin/env -S bash -eu', 'shell'],
    ['#! /usr/bin/python3.12 -u', 'python'],
    ['#!/usr/bin/env FOO=1 node', 'javascript'],
    ['#!/usr/bin/env', undefined],
    ['#!', undefined],
    ['#!/usr/bin/perl', undefined],
    ['<!DOCTYPE html>', 'html'],
    ['---', 'yaml'],
    ['--- title', 'yaml'],
    ['----', undefined],
    ['# text', undefined],
  ])('follows from the first line %s: %s', (line, language) => {
    expect(languageOf('start', line)).toBe(language);
  });

  test('comes from the name before the first line', () => {
    expect(languageOf('a.py', '#!/bin/sh')).toBe('python');
  });

  test('is determined for any name and first line', () => {
    const word = fc.constantFrom(
      '.',
      '/',
      '#!',
      'env',
      ' ',
      '-S',
      'Dockerfile',
      'yaml',
      '\ufeff',
      '=',
    );
    const text = fc.array(fc.oneof(word, fc.string()), { maxLength: 8 }).map((all) => all.join(''));
    fc.assert(
      fc.property(text, text, (path, line) => {
        const byName = languageOf(path);
        expect(languageOf(`folder/${path}`, '')).toBe(byName);
        if (byName !== undefined) expect(languageOf(path, line)).toBe(byName);
      }),
    );
  });

  test('is read from the start of a long line only', () => {
    const line = `#!${' '.repeat(1_000_000)}/bin/sh`;
    expect(languageOf('start', line)).toBeUndefined();
  });
});
