import { describe, expect, it } from 'vitest';
import { foldersOf, isProduction } from '../../source/config/environment.ts';

describe('the folders', () => {
  it('follow the XDG variables, and ignore relative ones', () => {
    expect(foldersOf({ XDG_DATA_HOME: '/d', XDG_STATE_HOME: 'relative' }, '/me')).toEqual({
      data: '/d/hostdeck',
      state: '/me/.local/state/hostdeck',
      config: '/me/.config/hostdeck',
    });
    expect(foldersOf({}, '/me').data).toBe('/me/.local/share/hostdeck');
  });
});

describe('production', () => {
  it('is told by the start of the profile name', () => {
    expect(['prod', 'PROD-eu', 'production'].map(isProduction)).toEqual([true, true, true]);
    expect(['prod1', 'prod_eu'].map(isProduction)).toEqual([true, true]);
    expect(['staging', 'preprod'].map(isProduction)).toEqual([false, false]);
  });
});
