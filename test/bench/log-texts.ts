/** Lines of the log that the measures of the tail work on: a thousand texts that come again. */
export const textCount = 1000;

/** Digits of a line's number, which stands in its text. */
export const numberDigits = 12;

/** Number before the first line: all numbers are equally long. */
export const numbersBegin = 10 ** (numberDigits - 1);

/** The mark before the number of a line, at the beginning of its text or near to it. */
export const numberMark = 'req=';

/** The screen shows this when it shows the line. */
export function markOf(line: number): string {
  return numberMark + String(numbersBegin + line);
}

/** Texts of so many bytes each, as services write them, every `req=` with room for the number. */
export function logTexts(length: number): readonly string[] {
  return Array.from({ length: textCount }, (_, index) => {
    const start = textStart(index);
    if (start.length > length) throw new Error(`no room for a text in ${length} bytes`);
    return start + filling(index, length - start.length);
  });
}

/** Text of a line, the first of which is 1. */
export function textOf(line: number, texts: readonly string[]): string {
  const text = texts[line % textCount] ?? '';
  return text.replace(numberRoom, markOf(line));
}

const numberRoom = numberMark + '0'.repeat(numberDigits);

function textStart(index: number): string {
  const seed = (index * 2_654_435_761) % 4_294_967_291;
  switch (index % 20) {
    case 0:
      return `\u001b[31mERROR\u001b[0m ${numberRoom} payment of order ${seed % 7919} refused`;
    case 1:
      return `WARN ${numberRoom} slow query took ${seed % 900} ms on replica ${seed % 5}`;
    case 2:
      return `${numberRoom} {"level":"info","msg":"job done","job":${seed % 9973}}`;
    default:
      return `${numberRoom} GET /shops/${seed % 9973}/orders?page=${seed % 17} 200 ${seed % 900}ms`;
  }
}

/** Fields as they follow a request, cut where the line ends. */
function filling(index: number, length: number): string {
  let text = '';
  for (let field = 1; text.length < length; field += 1) {
    const seed = (index * 7919 + field * 104_729) % 1_000_003;
    text += ` ${fieldNames[field % fieldNames.length]}=${seed.toString(field % 2 === 0 ? 10 : 16)}`;
  }
  return text.slice(0, length);
}

const fieldNames = [
  'trace',
  'span',
  'user',
  'shop',
  'region',
  'upstream',
  'agent',
  'bytes',
  'cache',
];
