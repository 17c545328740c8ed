/** A moment that a chain can tell: chains count whole seconds. */
export const toWholeSeconds = (epochMs: number): Date => new Date(Math.floor(epochMs / 1000) * 1000)

/** A moment as chains count it, in epoch seconds. */
export const toSeconds = (time: Date): bigint => BigInt(Math.floor(time.getTime() / 1000))
