import { afterAll, test, type TestContext } from 'vitest';
import type { RequestName } from '../../source/client/http/errors.ts';
import { everyOperation, titleOf } from './every-operation.ts';

interface Count {
  ok: number;
  failed: number;
}

/** Declares a test that is counted for one operation on one service. */
export type Check = (
  service: string,
  operation: RequestName,
  behaviour: string,
  body: (context: TestContext) => Promise<void>,
) => void;

/** Counts tests by operation and service, and prints the table after the last test. */
export function createTally(): Check {
  const counts = new Map<string, Map<RequestName, Count>>();

  afterAll(() => {
    console.log(formatTable(counts));
  });

  return (service, operation, behaviour, body) => {
    const column = counts.get(service) ?? new Map<RequestName, Count>();
    counts.set(service, column);
    const count = column.get(operation) ?? { ok: 0, failed: 0 };
    column.set(operation, count);
    test(`${service}: ${titleOf(operation)} ${behaviour}`, async (context) => {
      count.failed += 1;
      await body(context);
      count.failed -= 1;
      count.ok += 1;
    });
  };
}

/** Formats the counts of passed and failed tests, with a row for each operation. */
function formatTable(counts: ReadonlyMap<string, ReadonlyMap<RequestName, Count>>): string {
  const services = [...counts.keys()];
  const rows = everyOperation.map((operation) => {
    const cells = services.map((service) => formatCell(counts.get(service)?.get(operation)));
    return [titleOf(operation)].concat(cells);
  });
  const table = [['operation', ...services], ...rows];
  const widths = table[0]?.map((_, column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  );
  return table
    .map((row) => row.map((text, column) => text.padEnd(widths?.[column] ?? 0)).join('  '))
    .join('\n');
}

function formatCell(count: Count | undefined): string {
  if (count === undefined) return '-';
  return count.failed === 0 ? `${count.ok} ok` : `${count.ok} ok, ${count.failed} FAILED`;
}
