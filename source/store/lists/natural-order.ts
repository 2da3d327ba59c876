const zero = 0x30;

/**
 * Returns the sort key of a name: without accents and case, and with numbers ordered by value, `v2`
 * before `v10`. `Intl.Collator` orders alike but takes a fifth of a second for a long list.
 */
export function naturalKey(name: string): string {
  const plain = isAscii(name) ? name : name.normalize('NFD').replace(/\p{M}/gu, '');
  const text = plain.toLowerCase();
  let key = '';
  let copied = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (!isDigit(text.charCodeAt(at))) continue;
    const first = skipZeros(text, at);
    const end = skipDigits(text, first);
    // The number of digits comes first; the leading 0 sorts a number like a digit.
    key += `${text.slice(copied, at)}0${String.fromCharCode(end - first)}${text.slice(first, end)}`;
    copied = end;
    at = end;
  }
  return copied === 0 ? text : key + text.slice(copied);
}

/** Tells whether a name is ASCII; a regular expression would double the cost of a first long list. */
function isAscii(name: string): boolean {
  for (let at = 0; at < name.length; at += 1) if (name.charCodeAt(at) >= 0x80) return false;
  return true;
}

/** Returns the index of the first significant digit of the number at `at`; a lone zero counts. */
function skipZeros(text: string, at: number): number {
  let first = at;
  while (text.charCodeAt(first) === zero && isDigit(text.charCodeAt(first + 1))) first += 1;
  return first;
}

function skipDigits(text: string, at: number): number {
  let end = at;
  while (isDigit(text.charCodeAt(end))) end += 1;
  return end;
}

function isDigit(code: number): boolean {
  return code >= zero && code <= zero + 9;
}
