import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseDecimal } from '../../../source/contract/decimal.ts';
import type { ServiceDefinition } from '../../../source/contract/sdl/definition.ts';
import { parseSdl } from '../../../source/contract/sdl/parse.ts';
import { readInstancePrices } from '../../../source/host/money/metering.ts';

const sdl = `
version: "2.0"
services:
  web: {command: [a]}
  api: {command: [b]}
profiles:
  compute:
    web: {resources: {}}
    api: {resources: {}}
  placement:
    east: {pricing: {web: {denom: x, amount: 1000}, api: {denom: x, amount: 7}}}
    west: {pricing: {web: {denom: x, amount: 2000.25}}}
deployment:
  web: {east: {profile: web, count: 2}, west: {profile: web, count: 1}}
  api: {east: {profile: api, count: 1}}
`;

function definition() {
  const parsed = parseSdl(sdl);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.definition;
}

it('each instance has the price of its placement, in the order of the definition', () => {
  const micros = (amount: string) => (parseDecimal(amount) ?? 0n) / 1_000_000n;
  const { services, price } = definition();
  expect(readInstancePrices({ services, price }, sdl)).toEqual(
    new Map([
      ['web', [micros('1000'), micros('1000'), micros('2000.25')]],
      ['api', [micros('7')]],
    ]),
  );
});

it('a stored definition keeps its prices with a value that is refused in a new one', () => {
  const { services, price } = definition();
  const whole = readInstancePrices({ services, price }, sdl);
  for (const resources of [
    '{memory: {size: 512}}',
    '{cpu: {units: -1}}',
    '{storage: {size: "0,5"}}',
  ]) {
    const old = sdl.replace('web: {resources: {}}', `web: {resources: ${resources}}`);
    expect(readInstancePrices({ services, price }, old)).toEqual(whole);
  }
  expect(parseSdl(sdl.replace('{resources: {}}', '{resources: {memory: {size: 512}}}')).ok).toBe(
    false,
  );
});

it('a definition whose stored total differs is split evenly, to the last unit', () => {
  const counts = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
  const texts = fc.constantFrom('', 'services: {}', sdl);
  fc.assert(
    fc.property(counts, fc.bigInt({ min: 0n, max: 10n ** 6n }), texts, (all, price, text) => {
      const services = all.map((count, index) => {
        const service: Partial<ServiceDefinition> = { name: `s${index}`, count };
        return service as ServiceDefinition;
      });
      const prices = readInstancePrices({ services, price }, text);
      expect([...prices.values()].map(({ length }) => length)).toEqual(all);
      const each = [...prices.values()].flat();
      expect(each.reduce((sum, amount) => sum + amount, 0n)).toBe(price);
      const least = price / BigInt(each.length);
      for (const amount of each) expect([least, least + 1n]).toContain(amount);
    }),
  );
});
