import type { Grantee, ParsedGrantee } from '../../store/grants/grantees.ts';
import { column } from '../text/fit.ts';
import { type FormRow, rowWeights, type WeighedRow } from './form-row.ts';
import { firstShown } from '../text/confirm-lines.ts';

const maxChoices = 5;

/** Returns at most `most` neighbouring suggestions of the grantee field, including the chosen one. */
export function choiceRows(
  choices: readonly Grantee[],
  row: string | undefined,
  to: ParsedGrantee,
  most = maxChoices,
): readonly WeighedRow[] {
  const room = Math.min(choices.length, most);
  const at = choices.findIndex(({ address }) => address === row);
  const first = firstShown(Math.max(0, at), choices.length, room);
  return choices.slice(first, first + room).map((grantee) => {
    const chosen = grantee.address === row;
    return {
      kind: 'choice',
      grantee,
      chosen,
      typed: to.ok && to.isNew && grantee.address === to.grantee.address,
      weight: chosen ? rowWeights.nearFocused : rowWeights.choice,
    };
  });
}

const nameWidth = 14;

export type Choice = Extract<FormRow, { kind: 'choice' }>;

/**
 * Returns the addresses of the shown suggestions, then those of the next and the previous one. In a
 * list that scrolls in a circle, these two come into sight from the right sides.
 */
export function scrolledAddresses(
  shown: readonly Choice[],
  choices: readonly Grantee[],
): readonly string[] {
  const first = choices.findIndex(({ address }) => address === shown[0]?.grantee.address);
  const beside = [choices[first + shown.length], choices[first - 1]];
  return [...shown.map(({ grantee }) => grantee), ...beside].flatMap((grantee) =>
    grantee === undefined ? [] : [grantee.address],
  );
}

/**
 * Returns a suggestion as text: the name, if any, and the address, cut in the middle where it does
 * not fit. The form shows the address of the chosen suggestion in full.
 */
export function choiceText(choice: Choice, width: number): string {
  const { name, address } = choice.grantee;
  if (choice.typed) return `${address} (as an address)`;
  const head = name === undefined ? '' : column(name, nameWidth);
  const room = width - nameWidth * Number(name !== undefined) - 2;
  if (address.length <= room) return head + address;
  return `${head}${address.slice(0, Math.max(4, room - shownLastDigits - 2))}..${address.slice(-shownLastDigits)}`;
}

const shownLastDigits = 6;
