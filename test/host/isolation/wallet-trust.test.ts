import { describe, expect, it } from 'vitest';
import { WalletTrust } from '../../../source/host/isolation/wallet-trust.ts';

const own = '0xown';
const weak = 'The engine is open to everyone.';

function trust(more: {
  readonly isInForce?: boolean;
  readonly weakness?: string;
  readonly runtime?: 'process' | 'container' | 'auto';
  readonly trustWallets?: boolean;
}) {
  const { isInForce = false, weakness, runtime = 'process', trustWallets = false } = more;
  return new WalletTrust({
    isolation: { isInForce, weakness },
    runtime,
    ownWallet: own,
    trustWallets,
  });
}

const asProcess = { isContainer: false };
const asContainer = { isContainer: true };

describe('a wallet', () => {
  it('of the person at this machine may run anything', () => {
    expect(trust({}).refusal(own, asProcess)).toBeUndefined();
    expect(trust({ weakness: weak }).refusal(own, asContainer)).toBeUndefined();
  });

  it('of another person may run processes only with isolation or trust', () => {
    expect(trust({}).refusal('0xother', asProcess)).toContain('--trust-wallets');
    expect(trust({}).refusal('0xother', asProcess)).toContain('bubblewrap');
    expect(trust({ isInForce: true }).refusal('0xother', asProcess)).toBeUndefined();
    expect(trust({ trustWallets: true }).refusal('0xother', asProcess)).toBeUndefined();
  });

  it('of another person may run containers, unless their engine is open to everyone', () => {
    expect(trust({}).refusal('0xother', asContainer)).toBeUndefined();
    expect(trust({ weakness: weak }).refusal('0xother', asContainer)).toContain(weak);
  });
});

describe('a host', () => {
  it('is safe for other machines with isolation, with containers only, or by trust', () => {
    expect(trust({}).isSafe).toBe(false);
    expect(trust({ runtime: 'auto' }).isSafe).toBe(false);
    expect(trust({ isInForce: true, runtime: 'auto' }).isSafe).toBe(true);
    expect(trust({ runtime: 'container' }).isSafe).toBe(true);
    expect(trust({ runtime: 'container', weakness: weak }).isSafe).toBe(false);
    expect(trust({ trustWallets: true, weakness: weak }).isSafe).toBe(true);
  });
});
