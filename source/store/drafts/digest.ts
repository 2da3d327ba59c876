/** Returns the digest by which the trash and the journal of restarts recognise the content of a file. */
export async function digestOf(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new Uint8Array(bytes));
  return Buffer.from(digest).toString('hex');
}
