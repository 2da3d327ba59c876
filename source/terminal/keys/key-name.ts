/** Reads the names of keys that a person writes. */
import { csiKey } from './key-sequences.ts';

const arrows = ['up', 'down', 'left', 'right'] as const;
const pages = ['home', 'end', 'pageup', 'pagedown'] as const;
const others = [
  'enter',
  'escape',
  'tab',
  'backspace',
  'delete',
  'insert',
  'clear',
  'space',
] as const;
const functionKeys = Array.from({ length: 20 }, (_, index) => `f${index + 1}`);

/** Keys with a name of their own, by that name and by some short forms. */
const namedKeys: ReadonlyMap<string, string> = new Map([
  ...[...arrows, ...pages, ...others, ...functionKeys].map((name) => [name, name] as const),
  ['esc', 'escape'],
  ['pgup', 'pageup'],
  ['pgdn', 'pagedown'],
]);

/** Modifiers in the order of the names, with their bits in the kitty keyboard protocol. */
const modifierBits = { ctrl: 4, alt: 2, shift: 1 } as const;
type Modifier = keyof typeof modifierBits;
const modifiers = ['ctrl', 'alt', 'shift'] as const satisfies readonly Modifier[];

/**
 * Returns the name that key events have (`ctrl+s`, `f5`, `E`). Reads it in that form, and in the one
 * of footer and help: `^S`, `F5`, `Shift-Tab`, `PgUp`. Undefined for a text that names no key.
 */
export function readKeyName(text: string): string | undefined {
  const held = new Set<Modifier>();
  let rest = text;
  for (;;) {
    const [prefix, word] = /^(?:(ctrl|alt|shift)[+-]|\^)(?=.)/iu.exec(rest) ?? [];
    if (prefix === undefined) break;
    held.add((word?.toLowerCase() ?? 'ctrl') as Modifier);
    rest = rest.slice(prefix.length);
  }
  const named = namedKeys.get(rest.toLowerCase());
  if (named !== undefined && named !== 'space') {
    return [...modifiers.filter((one) => held.has(one)), named].join('+');
  }
  const character = named === 'space' ? ' ' : rest;
  if (Array.from(character).length !== 1 || /\p{C}/u.test(character)) return undefined;
  // The parser knows which keys are one key for terminals: ^H is Backspace, Shift-a is A.
  const bits = [...held].reduce((sum, one) => sum + modifierBits[one], 0);
  return csiKey(`${character.codePointAt(0) ?? 0};${bits + 1}u`)?.name;
}
