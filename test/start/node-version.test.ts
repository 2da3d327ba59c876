import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { oldNode } from '../../source/start/node-version.ts';

test.each(['24.0.0', '26.10.0', '100.1.0'])('Node %s is new enough', (version) => {
  expect(oldNode(version)).toBeUndefined();
});

test.each(['20.20.2', '22.23.3', '9.0.0'])('Node %s is too old, and is told so', (version) => {
  expect(oldNode(version)).toBe(`hostdeck needs Node 24 or newer, this is ${version}.`);
});

test('the package says the same', () => {
  expect(packageJson.engines.node).toBe('>=24');
});
