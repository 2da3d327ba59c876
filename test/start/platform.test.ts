import { expect, test } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { platformObstacle } from '../../source/start/platform.ts';

test.each(['24.0.0', '26.10.0', '100.1.0'])('Node %s is new enough', (version) => {
  expect(platformObstacle('linux', version)).toBeUndefined();
  expect(platformObstacle('darwin', version)).toBeUndefined();
});

test.each(['20.20.2', '22.23.3', '9.0.0'])('Node %s is too old, and is told so', (version) => {
  expect(platformObstacle('linux', version)).toBe(
    `hostdeck needs Node 24 or newer, this is ${version}. ` +
      'Install Node 26, or use the hostdeck archive for Linux, which brings its own Node.',
  );
});

test('on Windows the way is WSL', () => {
  expect(platformObstacle('win32', '26.10.0')).toMatch(/inside WSL/);
});

test('the package says the same', () => {
  expect(packageJson.engines.node).toBe('>=24');
});
