import { expect, test } from 'vitest';
import { parseSdl } from '../../../source/contract/sdl/parse.ts';
import { summariseSdl } from '../../../source/contract/sdl/reading.ts';
import {
  type TemplateName,
  templateOf,
  templates,
} from '../../../source/store/editor/templates.ts';

const names = Object.keys(templates) as TemplateName[];
const workloads = ['command', 'image'] as const;
const cases = names.flatMap((name) => workloads.map((workload) => [name, workload] as const));

test.each(cases)('the template %s of a %s has no mistakes', (name, workload) => {
  const text = templateOf(name, workload);
  const reading = summariseSdl(text);
  expect(reading.problems).toEqual([]);
  const parsed = parseSdl(text);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  const { services } = parsed.definition;
  expect(services).toHaveLength(name === 'web and api' ? 2 : 1);
  // The process runtime runs commands only, never an image.
  const image = workload === 'image' ? 'node:24' : undefined;
  expect(services.map((each) => [each.image, each.command, each.count])).toEqual(
    services.map(() => [image, ['node'], 1]),
  );
  expect(Number(reading.pricePerHour)).toBe(0.6 * services.length);
});
