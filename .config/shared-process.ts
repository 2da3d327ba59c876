/**
 * Rooms whose tests run one file after the other in few processes. Their modules keep only caches,
 * which give the same answers to every test. A process for each file would cost a third of a second.
 */
export const sharedRooms = ['contract', 'editor', 'tail', 'store', 'view'];

/** Tests of these rooms that change their process, its time zone or its colours, and need their own. */
export const changing: readonly string[] = [
  'test/store/grants/expiry.test.ts',
  'test/view/grants/form-rows.test.ts',
  'test/view/log/details.test.ts',
  'test/view/text/styled-row.test.tsx',
];
