import { afterEach, describe, expect, it, vi } from 'vitest';
import { Isolation } from '../../../source/host/isolation/isolation.ts';

const dataDir = '/data';
const bubblewrap = '/usr/bin/bwrap';
const userChange = {
  users: { userOf: () => 70_000 },
  firstId: 70_000,
  setpriv: '/usr/bin/setpriv',
};

function runAs(user: number) {
  vi.spyOn(process, 'getuid').mockReturnValue(user);
}

describe('isolation', () => {
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('is in force for root only when services have other users', () => {
    runAs(0);
    expect(new Isolation({ dataDir }).isInForce).toBe(false);
    expect(new Isolation({ dataDir, bubblewrap }).isInForce).toBe(false);
    expect(new Isolation({ dataDir, userChange }).isInForce).toBe(true);
    expect(new Isolation({ dataDir, bubblewrap, userChange }).isInForce).toBe(true);
  });

  it('is in force for an ordinary user with sandboxes', () => {
    runAs(1000);
    expect(new Isolation({ dataDir }).isInForce).toBe(false);
    expect(new Isolation({ dataDir, bubblewrap }).isInForce).toBe(true);
  });

  it('is not in force with a weakness', () => {
    runAs(1000);
    expect(new Isolation({ dataDir, bubblewrap, weakness: 'An engine.' }).isInForce).toBe(false);
  });
});
