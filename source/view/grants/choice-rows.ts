import type { Grantee, ParsedGrantee } from '../../store/grants/grantees.ts';
import { column } from '../text/fit.ts';
import { type FormRow, rowWeights, type WeighedRow } from './form-row.ts';
import { firstShown } from '../text/confirm-lines.ts';

const mostChoices = 5;

/** Whom the field offers: as many as there are rows for, the chosen one among them. */
export function choiceRows(
  choices: readonly Grantee[],
  row: string | undefined,
  to: ParsedGrantee,
): readonly WeighedRow[] {
  const room = Math.min(choices.length, mostChoices);
  const at = choices.findIndex(({ address }) => address === row);
  const first = firstShown(Math.max(0, at), choices.length, room);
  return choices.slice(first, first + room).map((grantee) => {
    const chosen = grantee.address === row;
    return {
      kind: 'choice',
      grantee,
      chosen,
      typed: to.ok && to.isNew && grantee.address === to.grantee.address,
      weight: chosen ? rowWeights.aboutFocused : rowWeights.choice,
    };
  });
}

const nameWidth = 14;

type Choice = Extract<FormRow, { kind: 'choice' }>;

/**
 * Somebody to choose: the name, where there is one, and the whole address. Where that does not fit,
 * both its ends: it is whole once it is chosen.
 */
export function choiceText(choice: Choice, width: number): string {
  const { name, address } = choice.grantee;
  if (choice.typed) return `${address} (as an address)`;
  const head = name === undefined ? '' : column(name, nameWidth);
  const room = width - nameWidth * Number(name !== undefined) - 2;
  if (address.length <= room) return head + address;
  return `${head}${address.slice(0, Math.max(4, room - lastDigits - 2))}..${address.slice(-lastDigits)}`;
}

const lastDigits = 6;
