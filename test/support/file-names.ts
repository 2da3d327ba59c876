/**
 * Sixty names of files: what writers of multipart/form-data encode in different ways, what readers
 * decode, strip or refuse, and what other file systems reserve or treat as equal. All are valid on
 * Linux, and no two are the same bytes.
 */
export const fileNames: readonly string[] = [
  // Quotes and what stands for them.
  'a"b',
  'a%22b',
  'a\\"b',
  'a\\',
  '"',
  '"quoted"',
  "a'b",
  'a”b',
  // Line breaks and other controls, and their percent sequences.
  '100%0Apple.pdf',
  '100%0apple.pdf',
  '100\npple.pdf',
  'a\rb',
  'a%0Db',
  'a\r\nb',
  'a%0D%0Ab',
  'a\tb',
  'a%09b',
  'a\u001bb',
  'a%1Bb',
  'a\u007fb',
  'a\u0085b',
  'a\u2028b',
  // Percent signs.
  '100%',
  '100%25',
  'a%41b',
  'a%2Fb',
  'a%5Cb',
  'a%zzb',
  'a%2522b',
  // Backslashes.
  'a\\b',
  'a\\\\b',
  'a\\nb',
  // Separators of parameters, markup and shells.
  'a;b',
  'a; filename=b',
  'a=b',
  "UTF-8''a",
  'a&quot;b',
  'a&#34;b',
  'a+b',
  'a?b#c',
  'a*b',
  'a|b<c>',
  '$(a) `b`',
  '-rf',
  // Blanks and dots at the ends.
  ' a',
  'a ',
  'a.',
  '.a',
  '...',
  // Unicode: composed, decomposed, compatible, outside of the BMP, a mark of byte order.
  'caf\u00e9',
  'cafe\u0301',
  '\u212b',
  '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}.txt',
  '\ufeffa',
  'a\ufffdb',
  '\u202etxt.exe',
  // Reserved by other systems.
  'CON',
  'aux.txt',
  'a:b',
  // The longest name.
  `${'\u00fc'.repeat(127)}x`,
];
