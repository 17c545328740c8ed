const mark = '\u0000'
const marked = /"\\u0000(\d{1,20})"/g

/** Writes JSON with whole numbers beyond 2^53 as they are: Solana's interface counts lamports in JSON numbers. */
export const stringify = (value: unknown): string =>
  JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? `${mark}${each}` : each)).replace(
    marked,
    '$1',
  )
