import { describe, expect, it } from 'vitest';
import type { ServiceError } from '../../../source/client/http/errors.ts';
import { downloadSummary, uploadSummary } from '../../../source/store/transfers/summary.ts';

const error: ServiceError = {
  code: 'disconnected',
  operation: 'upload files',
  sentence: 'No answer.',
  next: '',
  unknownOutcome: true,
};
const many = (count: number) => Array.from({ length: count }, (_, index) => `${index}`);
const leftOut = [{ path: 'x', reason: 'y' }];

describe('the summary', () => {
  it('of an upload counts its files by outcome', () => {
    const all = { sent: many(1), skipped: [], unknown: [], unsent: [], leftOut: [] };
    expect(uploadSummary({ ...all, error: undefined }, 'shop/web')).toBe(
      '1 file uploaded to shop/web.',
    );
    const part = { sent: many(1200), skipped: many(2), unknown: many(1), unsent: many(3), leftOut };
    expect(uploadSummary({ ...part, error }, 'shop/web')).toBe(
      'No answer. 1,200 files uploaded to shop/web, 1 may have arrived, 3 not sent, ' +
        '2 left as they were, 1 left out.',
    );
  });

  it('of a download counts its files by outcome', () => {
    const part = { saved: many(2), ambiguous: many(1), skipped: many(1), unsaved: [], leftOut };
    expect(downloadSummary({ ...part, error: undefined }, '/tmp')).toBe(
      '2 files saved to /tmp, 1 possibly with an envelope, 1 left as it was, 1 left out.',
    );
  });
});
