/** A command that was not given what it needs: the help is shown with it. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
