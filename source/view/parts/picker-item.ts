/** An item of a picker. */
export interface PickerItem {
  readonly id: string;
  readonly label: string;
  /** Explanation beside the label; a sheet explains the selected item only. */
  readonly meaning?: string;
  readonly choose: () => void;
}
