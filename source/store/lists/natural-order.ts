const zero = 0x30;

/**
 * What a name is ordered by: accents and case do not count, and numbers count by their value, `v2`
 * before `v10`. A collator would say much the same, but takes a fifth of a second for a long list.
 */
export function naturalKey(name: string): string {
  const plain = isPlain(name) ? name : name.normalize('NFD').replace(/\p{M}/gu, '');
  const text = plain.toLowerCase();
  let key = '';
  let copied = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (!isDigit(text.charCodeAt(at))) continue;
    const first = afterZeros(text, at);
    const end = afterDigits(text, first);
    // More digits are a larger number; the sign stands where a digit would among other characters.
    key += `${text.slice(copied, at)}0${String.fromCharCode(end - first)}${text.slice(first, end)}`;
    copied = end;
    at = end;
  }
  return copied === 0 ? text : key + text.slice(copied);
}

/** Whether a name is ASCII: a pattern asked the same would cost the first long list as much again. */
function isPlain(name: string): boolean {
  for (let at = 0; at < name.length; at += 1) if (name.charCodeAt(at) >= 0x80) return false;
  return true;
}

/** Where the number that begins at `at` has its first digit that counts; a lone zero counts. */
function afterZeros(text: string, at: number): number {
  let first = at;
  while (text.charCodeAt(first) === zero && isDigit(text.charCodeAt(first + 1))) first += 1;
  return first;
}

function afterDigits(text: string, at: number): number {
  let end = at;
  while (isDigit(text.charCodeAt(end))) end += 1;
  return end;
}

function isDigit(code: number): boolean {
  return code >= zero && code <= zero + 9;
}
