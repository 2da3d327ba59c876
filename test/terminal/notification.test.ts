import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  notificationBytes,
  type NotificationProtocol,
  notificationProtocol,
} from '../../source/terminal/notification.ts';
import { codePoint } from '../support/code-point.ts';

const terminals: readonly (readonly [NotificationProtocol, Readonly<Record<string, string>>])[] = [
  ['osc-99', { TERM: 'xterm-kitty' }],
  ['osc-9', { TERM: 'xterm-256color', TERM_PROGRAM: 'iTerm.app' }],
  // Through ssh, which sends no TERM_PROGRAM.
  ['osc-9', { TERM: 'xterm-256color', LC_TERMINAL: 'iTerm2' }],
  ['osc-777', { TERM: 'xterm-ghostty', TERM_PROGRAM: 'ghostty' }],
  ['osc-777', { TERM: 'foot' }],
  ['osc-777', { TERM: 'rxvt-unicode-256color' }],
  ['osc-777', { TERM: 'xterm-256color', TERM_PROGRAM: 'WezTerm' }],
  ['bell', { TERM: 'xterm-256color' }],
  ['bell', { TERM: 'xterm-256color', TERM_PROGRAM: 'Apple_Terminal' }],
  ['bell', { TERM: 'xterm-256color', TERM_PROGRAM: 'toString' }],
  ['bell', { TERM: 'xterm-256color', WT_SESSION: '8b8d' }],
  ['bell', { TERM: 'xterm-256color', ConEmuPID: '4711' }],
  ['bell', {}],
  // Inside of multiplexers, whose terminal is another one.
  ['bell', { TERM: 'tmux-256color', TMUX: '/tmp/tmux', TERM_PROGRAM: 'tmux' }],
  ['bell', { TERM: 'screen.xterm-256color', STY: '1.pts', LC_TERMINAL: 'iTerm2' }],
  ['bell', { TERM: 'screen-256color', LC_TERMINAL: 'iTerm2' }],
  ['bell', { TERM: 'xterm-kitty', ZELLIJ: '0' }],
];

describe('the protocol of notifications', () => {
  it.each(terminals)('is %s for %o', (protocol, env) => {
    expect(notificationProtocol(env)).toBe(protocol);
  });
});

describe('a notification', () => {
  it('is one sequence of the protocol', () => {
    expect(notificationBytes('osc-9', 'shop is crashing.')).toBe(
      '\x1b]9;hostdeck: shop is crashing.\x1b\\',
    );
    expect(notificationBytes('osc-777', 'a;b')).toBe('\x1b]777;notify;hostdeck;a,b\x1b\\');
    expect(notificationBytes('osc-99', 'shop')).toBe('\x1b]99;;hostdeck: shop\x1b\\');
    expect(notificationBytes('bell', 'shop')).toBe('\x07');
  });

  it('is of bounded length and has no control characters of its text', () => {
    const text = fc.oneof(fc.string({ unit: codePoint, maxLength: 1000 }), fc.string());
    const protocols = fc.constantFrom('osc-9', 'osc-777', 'osc-99');
    fc.assert(
      fc.property(protocols, text, (protocol, value) => {
        const bytes = notificationBytes(protocol, value);
        expect(bytes.length).toBeLessThan(1000);
        expect(bytes.startsWith('\x1b]') && bytes.endsWith('\x1b\\')).toBe(true);
        expect(bytes.slice(2, -2)).not.toMatch(/\p{Cc}/u);
      }),
    );
  });
});
