/** A command without the arguments it needs. The message says where to find its help. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}
