import { expect, test } from 'vitest';
import { proofSecondsOf, readProofSeconds } from '../../source/config/proof-length.ts';
import { chooseService } from '../../source/config/service-target.ts';
import { parseConfig } from '../../source/config/parse-config.ts';

test('the environment says for how long a restart is proved', () => {
  expect(readProofSeconds({})).toEqual({ ok: true, value: undefined });
  expect(readProofSeconds({ HOSTDECK_PROOF: '60' })).toEqual({ ok: true, value: 60 });
  expect(readProofSeconds({ HOSTDECK_PROOF: '1.5' })).toEqual({ ok: true, value: 2 });
  expect(readProofSeconds({ HOSTDECK_PROOF: 'off' })).toEqual({ ok: true, value: 0 });
  expect(readProofSeconds({ HOSTDECK_PROOF: '601' })).toEqual({
    ok: false,
    problem: {
      sentence: 'HOSTDECK_PROOF is 601.',
      next: 'It must be off, or seconds from 0 to 600 (0 is off).',
    },
  });
});

test('a named profile outranks the variable, a default one does not', () => {
  const text =
    'default: shop\nprofiles:\n  shop:\n    baseUrl: https://shop.example\n    proof: 10\n';
  const config = parseConfig(text, '/config.yaml', '/');
  if (!config.ok) throw new Error(config.problem.sentence);
  const flags = { profile: undefined, baseUrl: undefined };
  const byDefault = chooseService({}, flags, config.value);
  const named = chooseService({}, { ...flags, profile: 'shop' }, config.value);
  if (!byDefault.ok || !named.ok) throw new Error('no service');
  expect(proofSecondsOf(byDefault.value, undefined)).toBe(10);
  expect(proofSecondsOf(byDefault.value, 20)).toBe(20);
  expect(proofSecondsOf(named.value, 20)).toBe(10);
});
