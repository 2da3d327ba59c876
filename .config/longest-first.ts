import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests that take longest though their files are small, which a first run takes for short ones. */
const slow = /test\/host\/(?:images|runtime\/container)/;

/** Starts the slow files first: one that starts last would run alone while the other workers idle. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bySlowness = Map.groupBy(await super.sort(files), ({ moduleId }) => slow.test(moduleId));
    return [...(bySlowness.get(true) ?? []), ...(bySlowness.get(false) ?? [])];
  }
}
