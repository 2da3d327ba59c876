import { expect, test } from 'vitest';
import { parseSdl } from '../../source/contract/sdl/parse.ts';
import { readSdl } from '../../source/contract/sdl/reading.ts';
import { templates } from '../../source/store/templates.ts';

test.each(Object.entries(templates))('the template %s is one that our host runs', (name, text) => {
  const reading = readSdl(text);
  expect(reading.problems).toEqual([]);
  const parsed = parseSdl(text);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const { services } = parsed.definition;
  expect(services).toHaveLength(name === 'web and api' ? 2 : 1);
  // It runs commands; an image alone is refused.
  expect(services.map(({ command, count }) => [command, count])).toEqual(
    services.map(() => [['node'], 1]),
  );
  expect(Number(reading.pricePerHour)).toBe(0.6 * services.length);
});
