const longestWord = 200
const longestMessage = 2_000

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text)

/** Shortens a message, which repeats what the caller sent. */
const shorten = (message: string): string =>
  cut(
    message.replace(/\S+/g, (word) => cut(word, longestWord)),
    longestMessage,
  )

/** A refusal to write. `detail` replaces `error: true`, such as with the chain's own reason. */
type WrittenError = {
  message: string
  detail?: Readonly<{ message: string }> | undefined
  /** Whether the operation's errors are `{error: <text>}`. */
  isText: boolean
}

/**
 * Returns the body of an error. It quotes the caller's input, but only its beginning.
 *
 * @source interface.md "Errors"
 */
export const writeError = ({ message, detail, isText }: WrittenError) => {
  const text = shorten(message)
  if (isText) return { error: text }
  return { error: detail ? { ...detail, message: shorten(detail.message) } : true, message: text }
}

/** Explains which methods a path accepts. */
export const explainMethods = (path: string, methods: readonly string[]): string =>
  `Not found: ${cut(path, longestWord)} takes ${methods.join(', ')}`
