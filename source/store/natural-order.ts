/**
 * What a name is ordered by: accents and case do not count, and numbers count by their value, `v2`
 * before `v10`. A collator would say much the same, but takes a fifth of a second for a long list.
 */
export function naturalKey(name: string): string {
  const plain = /^[\x20-\x7e]*$/.test(name) ? name : name.normalize('NFD').replace(/\p{M}/gu, '');
  return plain.toLowerCase().replace(/\d+/g, (digits) => {
    const value = digits.startsWith('0') ? digits.replace(/^0+(?=\d)/, '') : digits;
    // More digits are a larger number; the sign stands where a digit would among other characters.
    return `0${String.fromCharCode(value.length)}${value}`;
  });
}
