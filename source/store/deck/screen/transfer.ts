import type { ExportProgress } from '../../log/reader/export.ts';
import type { TransferProgress } from '../../transfers/progress.ts';
import type { Slice } from './slice.ts';

export interface Transfer {
  readonly verb: 'Filtering' | 'Uploading' | 'Saving' | 'Collecting';
  readonly progress: TransferProgress | ExportProgress;
  cancel(): void;
}

export interface TransferState {
  /** The upload or download that is running. */
  readonly transfer: Transfer | undefined;
}

export interface TransferActions {
  /** Shows a transfer, or the new progress of the one that is running. */
  show(transfer: Transfer): void;
  end(): void;
}

export function transferActions({ set }: Slice<TransferState>): TransferActions {
  return {
    show(transfer) {
      set({ transfer });
    },
    end() {
      set({ transfer: undefined });
    },
  };
}
