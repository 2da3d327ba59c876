import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Deployment } from '../../../source/contract/deployments.ts';
import {
  alertOf,
  attentionRank,
  type Condition,
  conditionOf,
  type ProofWord,
} from '../../../source/store/alerts/condition.ts';
import { failureText } from '../../../source/store/alerts/alert.ts';
import type { Restart } from '../../../source/store/restarts/state.ts';

const changes = { files: [{ service: 'web', path: 'a' }], since: 0 };
const error = {
  code: 'service-error',
  operation: 'restart deployment',
  status: 503,
  sentence: 'It is overloaded.',
  next: 'Try again.',
  unknownOutcome: false,
} as const;
const restarts = {
  counting: { kind: 'counting', changes, left: 4000, deadline: 0 },
  restarting: {
    kind: 'restarting',
    since: 0,
    request: 1,
    changes,
    later: undefined,
    laterCancelled: false,
  },
  failed: { kind: 'failed', at: 0, error, changes },
  unknown: { kind: 'unknown', at: 0, error, changes },
  unapplied: { kind: 'unapplied', changes },
} satisfies Record<string, Restart>;

const shop = (state: string | undefined, more: Partial<Deployment> = {}): Deployment => ({
  id: 'shop-1',
  state,
  services: [],
  ...more,
});
const wordOf = (condition: Condition) => [condition.kind, condition.word];

describe('the condition of a deployment', () => {
  it('is the own word of the service where nothing is urgent', () => {
    expect(wordOf(conditionOf(shop('Rolling'), false, undefined))).toEqual(['own', 'Rolling']);
    expect(wordOf(conditionOf(shop(undefined), false, undefined))).toEqual(['own', '']);
  });

  it('is a lost node without the exit code of an earlier run', () => {
    const services = [{ name: 'web', state: 'node lost', exitCode: 1 }];
    const condition = conditionOf(shop('node lost', { services }), false, undefined);
    expect(condition).toEqual({ kind: 'failed', word: 'node lost' });
    expect(failureText('shop', condition)).toBe('shop has lost a node');
  });

  it('is an undone restart while the version before runs, and nothing is pending', () => {
    const rolledBack = { at: '2030-01-01T00:00:00Z', reason: 'web exited 1' };
    const undone = shop('active', { rolledBack });
    expect(conditionOf(undone, false, undefined).word).toBe('rolled back');
    expect(conditionOf(undone, false, restarts.counting).kind).toBe('counting');
    expect(conditionOf(shop('failed', { rolledBack }), false, undefined).kind).toBe('failed');
    expect(conditionOf(shop('closed', { rolledBack }), false, undefined).word).toBe('closed');
  });

  it('is a failure by any word for it, of the deployment or of one service', () => {
    for (const word of ['failed', 'ERROR', 'crashed', 'CrashLoopBackOff', 'unhealthy', 'backoff']) {
      expect(wordOf(conditionOf(shop(word), false, undefined))).toEqual(['failed', word]);
      const services = [
        { name: 'web', state: 'active' },
        { name: 'api', state: word },
      ];
      const condition = conditionOf(shop('active', { services }), false, undefined);
      expect(wordOf(condition)).toEqual(['failed', word]);
    }
  });

  it('is crashing, with its exit code, whatever the state says at the moment', () => {
    const services = [
      { name: 'web', exitCode: 0, restarts: 0 },
      { name: 'api', exitCode: 137, restarts: 7 },
    ];
    for (const state of ['active', 'failed', 'restarting']) {
      expect(conditionOf(shop(state, { services }), true, undefined)).toEqual({
        kind: 'crashing',
        word: 'crashing',
        exitCode: 137,
      });
    }
  });

  it('is its pending restart where it works', () => {
    const kinds = Object.values(restarts).map(
      (restart) => conditionOf(shop('active'), false, restart).kind,
    );
    expect(kinds).toEqual([
      'counting',
      'restarting',
      'restart failed',
      'restart unconfirmed',
      'unapplied',
    ]);
  });

  it('is a restart under way even where it fails, but no other restart', () => {
    expect(conditionOf(shop('failed'), true, restarts.restarting).kind).toBe('restarting');
    expect(conditionOf(shop('failed'), false, restarts.counting).kind).toBe('failed');
  });

  it('is closed, whatever happened before', () => {
    for (const restart of [undefined, ...Object.values(restarts)]) {
      expect(wordOf(conditionOf(shop('Closed'), true, restart))).toEqual(['own', 'Closed']);
    }
  });

  it('is the proof of its last restart where nothing else is pending', () => {
    const kindOf = (restart: Restart | undefined, proof: ProofWord) =>
      conditionOf(shop('active'), false, restart, proof);
    expect(kindOf(undefined, 'proving')).toEqual({ kind: 'proving', word: 'checking' });
    expect(kindOf(undefined, 'unchanged')).toEqual({ kind: 'own', word: 'active' });
    expect(kindOf(undefined, 'unclear')).toEqual({ kind: 'unclear', word: 'unclear' });
    expect(kindOf(restarts.unapplied, 'errors up')).toEqual({ kind: 'worse', word: 'errors up' });
    expect(kindOf(restarts.unapplied, 'unchanged').kind).toBe('unapplied');
    expect(kindOf(restarts.counting, 'crashed').kind).toBe('counting');
    expect(conditionOf(shop('failed'), false, undefined, 'unchanged').kind).toBe('failed');
    expect(alertOf(kindOf(undefined, 'crashed'))).toBe('worse');
    expect(alertOf(kindOf(undefined, 'unclear'))).toBeUndefined();
  });

  it('raises an alert when the deployment or its restart failed, or the restart is unconfirmed', () => {
    const alerting = [
      conditionOf(shop('active'), true, undefined),
      conditionOf(shop('failed'), false, undefined),
      conditionOf(shop('active'), false, restarts.failed),
      conditionOf(shop('active'), false, restarts.unknown),
    ];
    const kinds = ['crashing', 'failed', 'restart failed', 'restart unconfirmed'];
    expect(alerting.map(alertOf)).toEqual(kinds);
    for (const restart of [restarts.counting, restarts.unapplied, undefined]) {
      expect(alertOf(conditionOf(shop('active'), false, restart))).toBeUndefined();
    }
  });

  it('sorts by urgency: failures, restarts, running ones, closed ones', () => {
    const conditions = [
      conditionOf(shop('active'), true, undefined),
      conditionOf(shop('failed'), false, undefined),
      ...[restarts.failed, restarts.unknown, restarts.counting].map((restart) =>
        conditionOf(shop('active'), false, restart),
      ),
      conditionOf(shop('active'), false, restarts.restarting),
      conditionOf(shop('active'), false, restarts.unapplied),
      conditionOf(shop('suspended'), false, undefined),
      conditionOf(shop('active'), false, undefined),
      conditionOf(shop('stopped'), false, undefined),
      conditionOf(shop('closed'), false, undefined),
    ];
    const ranks = conditions.map(attentionRank);
    expect(ranks).toEqual(ranks.toSorted());
    expect(new Set(ranks).size).toBe(ranks.length);
    const unknown = conditionOf(shop('rolling'), false, undefined);
    expect(attentionRank(unknown)).toBe(
      attentionRank(conditionOf(shop('active'), false, undefined)),
    );
  });

  it('has one character as its rank for every state that a service may send', () => {
    fc.assert(
      fc.property(fc.option(fc.string()), fc.boolean(), (state, isCrashing) => {
        const rank = attentionRank(conditionOf(shop(state ?? undefined), isCrashing, undefined));
        expect(rank).toMatch(/^[A-Z]$/);
      }),
      {
        examples: [
          ['__proto__', false],
          ['constructor', false],
        ],
      },
    );
  });
});
