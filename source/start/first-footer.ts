/**
 * The footer of the first frame. Written by `npm run docs` (.config/write-docs.ts) from the
 * registered commands, which would load the whole view; a test compares the two.
 */
import type { FooterKey } from '../view/text/hints.ts';

export const firstFooter: Readonly<Record<'deployments' | 'logs', readonly FooterKey[]>> = {
  deployments: [
    { key: 'Enter', label: 'logs' },
    { key: 'a', label: 'create' },
    { key: 'r', label: 'restart' },
    { key: 'X', label: 'close' },
    { key: 'd', label: 'details' },
    { key: '/', label: 'filter' },
    { key: ':', label: 'command' },
    { key: '!', label: 'alert' },
    { key: 'o', label: 'order' },
    { key: 'A', label: 'create like' },
    { key: 'Space', label: 'mark' },
    { key: 'f', label: 'full' },
    { key: '?', label: 'help', isFixed: true },
  ],
  logs: [
    { key: 'Space', label: 'pause' },
    { key: '/', label: 'search' },
    { key: '&', label: 'filter' },
    { key: 'F', label: 'filters' },
    { key: 'e/E', label: 'error' },
    { key: 's', label: 'services' },
    { key: 'y', label: 'copy' },
    { key: 'S', label: 'download' },
    { key: 'v', label: 'select' },
    { key: 'i', label: 'histogram' },
    { key: '%', label: 'patterns' },
    { key: 't', label: 'times' },
    { key: 'w', label: 'wrap' },
    { key: 'd', label: 'details' },
    { key: 'r', label: 'restart' },
    { key: ':', label: 'command' },
    { key: 'f', label: 'full' },
    { key: '?', label: 'help', isFixed: true },
  ],
};
