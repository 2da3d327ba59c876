import type { GrantField } from '../../store/grants/form.ts';
import type { Grantee } from '../../store/grants/grantees.ts';
import type { Line } from '../text/line.ts';

/** A row of the form: a field with its note, a suggestion, or text. */
export type FormRow =
  | {
      readonly kind: 'field';
      readonly field: GrantField;
      /** Width of the label and the text in cells. */
      readonly width: number;
      readonly note: Line;
    }
  | {
      readonly kind: 'choice';
      readonly grantee: Grantee;
      readonly chosen: boolean;
      /** True for the typed text itself, offered as an address. */
      readonly typed: boolean;
    }
  | { readonly kind: 'text'; readonly line: Line };

/** A row with its weight: a low terminal drops the lightest rows first. */
export type WeighedRow = FormRow & {
  readonly weight: number;
  /** Sentence of which the row is a part; its rows are dropped together. */
  readonly sentence?: string;
};

export const rowWeights = {
  buttons: 10,
  focused: 9,
  nearFocused: 8,
  address: 7,
  refused: 7,
  field: 6,
  note: 5,
  choice: 4,
  named: 4,
  terms: 3,
  moreTerms: 2,
  blank: 1,
};
