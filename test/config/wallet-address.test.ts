import { expect, test } from 'vitest';
import { isWalletAddress } from '../../source/config/host-arguments.ts';

test.each([
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  'akash1365yvmc4s7awdyj3n2sav7xfx76adc6dnmlx63',
  'cosmos1fl48vsnmsdzcv85q5d2q4z5ajdha8yu34mf0eh',
  'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  '1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2',
  '7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv',
  '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY',
])('%s is a wallet address', (text) => {
  expect(isWalletAddress(text)).toBe(true);
});

test.each([
  '',
  '100',
  'balance',
  'my-wallet',
  '--balance',
  '0x12',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeg',
  'akash1',
  'alice@example.com',
])('%j is no wallet address', (text) => {
  expect(isWalletAddress(text)).toBe(false);
});
