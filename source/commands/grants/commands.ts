/** The commands of spend grants. */
import { type CommandSpec, serviceCommand } from '../table/command-spec.ts';

export const grantShellCommands: readonly CommandSpec[] = [
  serviceCommand({
    path: ['grants', 'list'],
    summary: 'List the grants that you gave and received.',
    description: [
      'The party is the other wallet; set HOSTDECK_WALLET, or the wallet of the profile, if your grants do not show which wallet is yours. Into a pipe each grant is a line of values between tabs, without a header: party, direction, limit, spent, state, time of expiry, id.',
      'JSON records have the fields of the service, and two that hostdeck derives: direction (given, received or unknown) and state (active, limit reached, expired or revoked).',
    ],
    args: [],
    flags: {},
    prints: true,
    examples: [
      { line: 'hostdeck grants list', summary: 'all grants' },
      {
        line: `hostdeck grants list --json | jq -r '.[] | select(.state == "active").id'`,
        summary: 'ids of the active ones',
      },
    ],
    run: async () => (await import('./list.ts')).printGrants,
  }),
  serviceCommand({
    path: ['grants', 'create'],
    summary: 'Let another wallet spend from your balance.',
    description: [
      'The grantee may spend up to the limit until the grant expires. You can revoke it earlier; it cannot be extended.',
    ],
    args: [],
    flags: {
      grantee: {
        type: 'value',
        value: 'ADDRESS',
        summary: 'wallet that may spend, or its name in the address book',
      },
      limit: {
        type: 'value',
        value: 'AMOUNT',
        summary: 'most that it may spend in sum, like 50 or 0.5',
      },
      expires: {
        type: 'value',
        value: 'TIME',
        summary:
          'end of the grant: 30d, 12h, 2w, 90m, 2026-12-24, or a time like 2026-12-24T18:00Z',
      },
    },
    prints: true,
    writes: true,
    asks: true,
    examples: [
      {
        line: 'hostdeck grants create --grantee 0x12ab34cd56ef78ab90cd12ef34ab56cd78ef9f3c --limit 50 --expires 30d',
        summary: 'for 30 days from now',
      },
    ],
    run: async () => (await import('./create.ts')).createGrant,
  }),
  serviceCommand({
    path: ['grants', 'revoke'],
    summary: 'Revoke grants that you gave.',
    description: ['Each grantee loses access at once. This cannot be undone.'],
    args: [
      {
        name: 'ID',
        summary: 'id of a grant, or a unique beginning of one',
        isRequired: true,
        isRepeated: true,
        completes: 'grant',
      },
    ],
    flags: {},
    writes: true,
    asks: true,
    examples: [{ line: 'hostdeck grants revoke 5f2e', summary: 'after a question' }],
    run: async () => (await import('./revoke.ts')).revokeGrants,
  }),
];
