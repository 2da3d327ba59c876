import type { Clipboard } from '../../source/view/command/copy.ts';

/** A clipboard that discards everything. */
export const noClipboard: Clipboard = {
  copy: async (text) => ({
    bytes: Buffer.byteLength(text),
    isSent: true,
    kept: { file: 'copied' },
  }),
  hasCopied: () => false,
  print: async () => {},
};
