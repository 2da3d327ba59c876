import type { GrantField } from '../../store/grants/form.ts';
import type { Grantee } from '../../store/grants/grantees.ts';
import type { Line } from '../text/line.ts';

/** A row of the form: a field with what stands behind it, one of those to choose from, or text. */
export type FormRow =
  | {
      readonly kind: 'field';
      readonly field: GrantField;
      /** Cells of the label and the text. */
      readonly width: number;
      readonly note: Line;
    }
  | {
      readonly kind: 'choice';
      readonly grantee: Grantee;
      readonly chosen: boolean;
      /** It is nobody known, but what was typed itself. */
      readonly typed: boolean;
    }
  | { readonly kind: 'text'; readonly line: Line };

/** What of a row stays in a low terminal: the highest weights. */
export type WeighedRow = FormRow & {
  readonly weight: number;
  /** The sentence it is a part of, where half of it would say something else. */
  readonly of?: string;
};

export const rowWeights = {
  buttons: 10,
  focused: 9,
  aboutFocused: 8,
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
