import { describe, expect } from 'vitest';
import { line, own } from './line.ts';
import { done } from './reading.ts';
import { deploy, eventually, serviceUnderTest } from './service.ts';
import { following, type OpenStream } from './stream.ts';

const service = await serviceUnderTest();
const { owner } = service;

/** Program that counts from its start, sometimes many numbers at once. */
const counting = `let n = 0; const say = (count) => { while (count-- > 0) console.log('n', n++) };
  setInterval(() => say(1), 20); setInterval(() => say(200), 100)`;

/** Returns the received numbers in order of arrival. */
const numbersIn = ({ messages }: OpenStream) =>
  messages
    .map(({ logLine }) => /^n (\d+)$/.exec(String(logLine))?.[1])
    .filter((number) => number !== undefined)
    .map(Number);

const consecutive = (numbers: readonly number[]) => {
  const [first = 0] = numbers;
  expect(numbers).toEqual(numbers.map((_, index) => first + index));
};

describe.concurrent('6. Events', () => {
  line(
    'each log line produced by a service of the deployment is delivered as a JSON message with type log',
    'programs',
    async () => {
      const { id } = await deploy(service, { web: counting });
      await following(service, owner, id, async (stream) => {
        await eventually(() => {
          expect(stream.messages.length).toBeGreaterThan(1500);
        });
        consecutive(numbersIn(stream));
      });
    },
  );

  line('… of every service', 'programs', async () => {
    const { id } = await deploy(service, { web: counting, job: counting });
    await following(service, owner, id, async (stream) => {
      const of = (name: string) =>
        numbersIn({
          ...stream,
          messages: stream.messages.filter(({ serviceName }) => serviceName === name),
        });
      await eventually(() => {
        expect(of('web').length).toBeGreaterThan(300);
        expect(of('job').length).toBeGreaterThan(300);
      });
      consecutive(of('web'));
      consecutive(of('job'));
    });
  });

  line('… to everyone who follows it', 'programs', async () => {
    const { id } = await deploy(service, { web: counting });
    await following(service, owner, id, (one) =>
      following(service, owner, id, async (other) => {
        await eventually(() => {
          expect(numbersIn(other).length).toBeGreaterThan(300);
        });
        const start = numbersIn(other)[0] ?? 0;
        const till = numbersIn(other).slice(0, 300);
        await eventually(() => {
          expect(numbersIn(one).at(-1)).toBeGreaterThanOrEqual(start + 300);
        });
        expect(numbersIn(one)).toEqual(expect.arrayContaining(till));
      }),
    );
  });

  line('… also after a restart of the deployment', 'programs', async () => {
    // Services may start the next run before they stop the present one.
    const tagged = `const run = String(process.hrtime.bigint()); console.log('begun', run);
      let n = 0; setInterval(() => console.log('of', run, n++), 5)`;
    const { id } = await deploy(service, { web: tagged });
    await following(service, owner, id, async (stream) => {
      const texts = (from = 0) => stream.messages.slice(from).map((each) => String(each.logLine));
      const begun = (from: number) =>
        eventually(() => {
          const found = texts(from).find((text) => text.startsWith('begun '));
          if (found === undefined) throw new Error('the stream has delivered no start');
          return found.slice('begun '.length);
        });
      // The stream may have opened before the first start.
      await eventually(() => {
        expect(texts().length).toBeGreaterThan(100);
      });
      const before = stream.messages.length;
      done(await owner.call('restartDeployment', { id }));
      const run = await begun(before);
      const numbers = await eventually(() => {
        const own = texts(before).filter((text) => text.startsWith(`of ${run} `));
        expect(own.length).toBeGreaterThan(300);
        return own.map((text) => Number(text.split(' ')[2]));
      });
      expect(numbers[0]).toBe(0);
      consecutive(numbers);
    });
  });

  own('numbers increase without gaps, also across a restart', async () => {
    const { id } = await deploy(service, { web: counting });
    await following(service, owner, id, async (stream) => {
      await eventually(() => {
        expect(numbersIn(stream).length).toBeGreaterThan(100);
      });
      done(await owner.call('restartDeployment', { id }));
      const before = stream.messages.length;
      await eventually(() => {
        expect(stream.messages.length).toBeGreaterThan(before + 300);
      });
      const ids = stream.messages.map((message) => Number(message.id));
      expect(ids).toEqual(ids.map((_, index) => (ids[0] ?? 0) + index));
    });
  });

  own('a line of a megabyte is delivered completely, possibly as several lines', async () => {
    const { id } = await deploy(service, {
      web: `setInterval(() => console.log('x'.repeat(100000) + 'end'), 100)`,
    });
    await following(service, owner, id, async (stream) => {
      await eventually(() => {
        expect(stream.messages.map(({ logLine }) => String(logLine)).join('')).toMatch(
          /x{100000}end/,
        );
      });
    });
  });
});
