/** Rounds a time down to whole seconds, which chains count in. */
export const toWholeSeconds = (epochMs: number): Date => new Date(Math.floor(epochMs / 1000) * 1000)

/** Converts a time to a chain's epoch seconds. */
export const toSeconds = (time: Date): bigint => BigInt(Math.floor(time.getTime() / 1000))
