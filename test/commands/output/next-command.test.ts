import { expect, test } from 'vitest';
import { nextCommand } from '../../../source/commands/output/next-command.ts';

test.each([
  [undefined, undefined, ''],
  ['prod', undefined, ' --profile prod'],
  [undefined, 'http://127.0.0.1:7420/a', ' --base-url http://127.0.0.1:7420/a'],
  [undefined, "http://x/a b?'$(id)", String.raw` --base-url 'http://x/a b?'\''$(id)'`],
])('repeats the flags that named the service: %s %s', (profile, baseUrl, flags) => {
  const context = { service: { flags: { profile, baseUrl } } };
  expect(nextCommand(context, 'deployments restart shop')).toBe(
    `hostdeck deployments restart shop${flags}`,
  );
});
