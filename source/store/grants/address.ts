/** Returns a key for comparison: the case of a hexadecimal address is only a checksum. */
export function addressKey(address: string): string {
  return /^0x[0-9a-f]+$/i.test(address) ? address.toLowerCase() : address;
}

export function sameAddress(left: string, right: string): boolean {
  return left === right || addressKey(left) === addressKey(right);
}

/** Shortens a wallet address for a list: `0x9f..a1`. Never used where money moves. */
export function shortAddress(address: string): string {
  if (address.length <= 10) return address;
  const head = address.startsWith('0x') ? 4 : 3;
  return `${address.slice(0, head)}..${address.slice(-2)}`;
}
