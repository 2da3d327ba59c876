/** What addresses are compared by: hexadecimal ones differ in case only by their checksum. */
export function addressKey(address: string): string {
  return /^0x[0-9a-f]+$/i.test(address) ? address.toLowerCase() : address;
}

export function sameAddress(left: string, right: string): boolean {
  return left === right || addressKey(left) === addressKey(right);
}
