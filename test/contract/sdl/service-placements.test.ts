import { expect, it } from 'vitest';
import { readServicePlacements } from '../../../source/contract/sdl/service-placements.ts';

it('placements have the counts, limits and attributes of their profiles', () => {
  const placements = readServicePlacements(`
version: "2.0"
services: { web: { image: x }, db: { image: y } }
profiles:
  compute:
    big: { resources: { cpu: 2, memory: 1Mi } }
    small: { resources: { cpu: 100m, memory: 1Ki } }
  placement:
    east: { attributes: { zone: z1, ssd: true, shelf: 3, none: }, pricing: {} }
    west: &west { attributes: { zone: z2 } }
    any: {}
deployment:
  web:
    east: { profile: big, count: 3 }
    west: { profile: small }
  db: { any: { profile: small, count: 1 } }
`);
  const big = { cpu: 2, memory: 2 ** 20 };
  const small = { cpu: 0.1, memory: 1024 };
  expect(Object.fromEntries(placements)).toEqual({
    web: [
      {
        name: 'east',
        count: 3,
        attributes: { zone: 'z1', ssd: 'true', shelf: '3' },
        resources: big,
      },
      { name: 'west', count: 1, attributes: { zone: 'z2' }, resources: small },
    ],
    db: [{ name: 'any', count: 1, attributes: {}, resources: small }],
  });
});

it.each(['', 'services: []', 'deployment: { web: [] }', '- a'])('%j has no placements', (text) => {
  expect([...readServicePlacements(text).values()].flat()).toEqual([]);
});
