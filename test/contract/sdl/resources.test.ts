import { expect, it } from 'vitest';
import { readResourceLimits } from '../../../source/contract/sdl/resources.ts';

const sdlOf = (resources: string, more = '') => `
version: "2.0"
services: { web: { command: [x] } }
profiles:
  compute:
    web: { resources: ${resources} }
    small: { resources: { cpu: { units: 100m }, memory: { size: 64Mi } } }
  placement: { here: {}, there: {} }
deployment:
  web:
    here: { profile: web, count: 1 }
    ${more}
`;

const mebibyte = 1024 * 1024;

it.each([
  ['{ cpu: { units: 0.5 }, memory: { size: 512Mi } }', { cpu: 0.5, memory: 512 * mebibyte }],
  ['{ cpu: 250m, memory: 2GB }', { cpu: 0.25, memory: 2e9 }],
  ['{ cpu: { units: 2 } }', { cpu: 2, memory: undefined }],
  ['{ memory: { size: 1048576 } }', { cpu: undefined, memory: mebibyte }],
  ['{ storage: { size: 1Gi } }', { storage: 1024 * mebibyte }],
  ['{ storage: 1Gi }', { storage: 1024 * mebibyte }],
  ['{ storage: [{ size: 1Mi }, { name: data, size: 2Mi }] }', { storage: 3 * mebibyte }],
  ['{ storage: [{ size: 1Mi }, { name: data }] }', { storage: undefined }],
  ['{ storage: [] }', { storage: undefined }],
  ['{ cpu: lots, memory: [] }', { cpu: undefined, memory: undefined }],
  ['{}', { cpu: undefined, memory: undefined }],
])('resources %s are %j', (text, expected) => {
  expect(readResourceLimits(sdlOf(text)).get('web')).toEqual(expected);
});

it('resources of several profiles are the largest of each, and unlimited if one is', () => {
  const there = 'there: { profile: small, count: 1 }';
  expect(
    readResourceLimits(sdlOf('{ cpu: 50m, memory: { size: 1Gi } }', there)).get('web'),
  ).toEqual({
    cpu: 0.1,
    memory: 1024 * mebibyte,
  });
  expect(readResourceLimits(sdlOf('{ cpu: 50m }', there)).get('web')).toEqual({
    cpu: 0.1,
    memory: undefined,
  });
});

it.each(['', '- a', 'deployment: { web: 7 }', '{'])('%j has no resources', (text) => {
  expect([...readResourceLimits(text).values()].filter(({ cpu }) => cpu !== undefined)).toEqual([]);
});
