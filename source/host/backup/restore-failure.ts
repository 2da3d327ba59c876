/** A backup that can't be restored, as a sentence for a person. */
export class RestoreFailure extends Error {}
