/** A command that was not given what it needs: where its help is found is said with it. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
