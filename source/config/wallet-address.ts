/** Tells wallet addresses from other words that somebody typed in their place. */

const hexadecimal = /^0x[0-9a-f]{40}$/i;
/** Bech32 (BIP 173): a prefix, the separator 1, and data of which the last six are a checksum. */
const bech32 = /^(?=.{8,90}$)[a-z][a-z0-9]{0,82}1[02-9ac-hj-np-z]{6,}$/;
/** Base58, which Bitcoin, Solana and Polkadot write without 0, O, I and l. */
const base58 = /^[1-9A-HJ-NP-Za-km-z]{26,64}$/;

/** Returns whether a text has the form of a wallet address of a known chain. */
export function isWalletAddress(text: string): boolean {
  return hexadecimal.test(text) || bech32.test(text) || base58.test(text);
}
