import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  createRequestTarget,
  type Result,
  createServiceError,
} from '../../source/client/http/errors.ts';
import { createPathFormMemory } from '../../source/client/files.ts';
import type { PathForm } from '../../source/contract/routes.ts';

const target = createRequestTarget('getFile', 'api.example.com');

function failing(status: number): Result<never> {
  const error = createServiceError(target, 'bad-request', '', '', { status });
  return { ok: false, error };
}

/** Returns a service that accepts the `understood` forms and fails others with `otherwise`. */
function service(understood: readonly PathForm[], otherwise = 404) {
  const sent: PathForm[] = [];
  return {
    sent,
    send: async (form: PathForm): Promise<Result<string>> => {
      sent.push(form);
      return understood.includes(form) ? { ok: true, value: 'done' } : failing(otherwise);
    },
  };
}

const nothing = async (): Promise<void> => {};

describe('a read', () => {
  test('learns the working form and keeps it', async () => {
    const forms = createPathFormMemory();
    const { sent, send } = service(['whole']);
    expect((await forms.read('a/b', send)).ok).toBe(true);
    expect((await forms.read('c/d', send)).ok).toBe(true);
    expect(sent).toEqual(['segments', 'whole', 'whole']);
  });

  test('that fails in both forms is not found and teaches nothing', async () => {
    const forms = createPathFormMemory();
    const nowhere = service([]);
    expect(await forms.read('a/b', nowhere.send)).toMatchObject({ error: { status: 404 } });
    expect(await forms.read('a/b', nowhere.send)).toMatchObject({ ok: false });
    expect(nowhere.sent).toEqual(['segments', 'whole', 'segments', 'whole']);
  });

  test('of a path without a slash needs no form', async () => {
    const forms = createPathFormMemory();
    const { sent, send } = service([]);
    await forms.read('a', send);
    expect(sent).toEqual(['segments']);
  });
});

describe('a write', () => {
  test('waits for the form that a read learns', async () => {
    const forms = createPathFormMemory();
    const { sent, send } = service(['whole']);
    const reads = service(['whole']);
    expect((await forms.write('a/b', () => forms.read('c/d', reads.send), send)).ok).toBe(true);
    expect(sent).toEqual(['whole']);
  });

  test.each([400, 401, 403, 409, 413, 422, 500, 502])(
    'that fails with %i is not sent in the other form',
    async (status) => {
      const forms = createPathFormMemory();
      const { sent, send } = service([], status);
      expect(await forms.write('a/b', nothing, send)).toMatchObject({ error: { status } });
      expect(sent).toEqual(['segments']);
    },
  );

  test('that is not found is sent once in the other form', async () => {
    const forms = createPathFormMemory();
    const { sent, send } = service(['whole']);
    expect((await forms.write('a/b', nothing, send)).ok).toBe(true);
    expect((await forms.write('a/b', nothing, send)).ok).toBe(true);
    expect(sent).toEqual(['segments', 'whole', 'whole']);
  });

  test.each([
    [409, 409],
    [422, 422],
    [404, 404],
    [400, 404],
  ])('whose other form fails with %i returns %i', async (second, answered) => {
    const forms = createPathFormMemory();
    const statuses = [404, second];
    const answer = await forms.write('a/b', nothing, async () => failing(statuses.shift() ?? 0));
    expect(answer).toMatchObject({ error: { status: answered } });
    expect(statuses).toEqual([]);
  });

  test('is never executed twice, whatever forms the service understands', async () => {
    const understood = fc.subarray<PathForm>(['segments', 'whole']);
    const status = fc.constantFrom(400, 401, 404, 409, 500);
    const steps = fc.array(fc.tuple(fc.boolean(), fc.constantFrom('a', 'a/b', 'c/d/e')), {
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(understood, status, steps, async (works, otherwise, all) => {
        const forms = createPathFormMemory();
        for (const [writes, path] of all) {
          const { sent, send } = service(works, otherwise);
          const answer = writes
            ? await forms.write(path, () => forms.read('x/y', service(works, otherwise).send), send)
            : await forms.read(path, send);
          const done = sent.filter((form) => works.includes(form));
          expect(done.length).toBeLessThanOrEqual(1);
          expect(answer.ok).toBe(done.length === 1);
          expect(sent.length).toBeLessThanOrEqual(otherwise === 404 ? 2 : 1);
        }
      }),
      { numRuns: 200 },
    );
  });
});
