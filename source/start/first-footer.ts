/**
 * The footer of the first frame. Written by `npm run docs` (.config/write-docs.ts) from the
 * registered commands, which would load the whole view; a test compares the two.
 */
import type { FooterKey } from '../view/text/hints.ts';

export const firstFooter: Readonly<Record<'deployments' | 'logs', readonly FooterKey[]>> = {
  deployments: [
    { key: 'Enter', label: 'logs' },
    { key: 'a', label: 'create' },
    { key: 'X', label: 'close' },
    { key: 'd', label: 'details' },
    { key: 'r', label: 'restart' },
    { key: '/', label: 'filter' },
    { key: ':', label: 'command' },
    { key: 'f', label: 'full' },
    { key: '?', label: 'help', isFixed: true },
  ],
  logs: [
    { key: 'Space', label: 'pause' },
    { key: 'e/E', label: 'error' },
    { key: '/', label: 'search' },
    { key: '&', label: 'filter' },
    { key: 's', label: 'services' },
    { key: 'v', label: 'select' },
    { key: 'y', label: 'copy' },
    { key: 'S', label: 'export' },
    { key: 'w', label: 'wrap' },
    { key: 'd', label: 'details' },
    { key: 'r', label: 'restart' },
    { key: ':', label: 'command' },
    { key: 'f', label: 'full' },
    { key: '?', label: 'help', isFixed: true },
  ],
};
