/** A failed program says why in its logs, in its own words or in those of Anchor. */
const reasons = [
  /^Program log: Error: (.{1,300})/,
  /Error Message: (.{1,300})/,
  /^Program log: (.{1,300}insufficient.{0,300})/i,
  /^Transfer: (insufficient .{1,300})/,
  /^Program \w{32,44} failed: (.{1,300})/,
]

const findReason = (logs: readonly string[]): string | undefined => {
  for (const pattern of reasons) {
    for (const line of logs) {
      const reason = pattern.exec(line)?.[1]
      if (reason !== undefined) return reason
    }
  }
  return undefined
}

/** Writes the error of a transaction as nodes do, in JSON. */
export const toErrorText = (error: unknown): string =>
  typeof error === 'string'
    ? error
    : JSON.stringify(error, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value))

/** Explains why a transaction failed: from its logs, and its error. */
export const explainProgramError = (error: unknown, logs: readonly string[]): string => {
  const reason = findReason(logs)
  return reason === undefined ? toErrorText(error) : `${reason} (${toErrorText(error)})`
}
