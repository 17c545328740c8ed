import * as z from 'zod/mini'

const limitBytes = 16 * 1024

/** Refuses JSON of more than 16 KiB: the most an order keeps of what a client adds of its own. */
export const smallJson = z.refine(
  (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length <= limitBytes,
  'expected at most 16 KiB of JSON',
)
