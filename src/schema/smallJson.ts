import * as z from 'zod/mini'

/** The size limit of each kind of JSON that a client adds to an order. @units bytes */
export const maxJsonBytes = 16 * 1024

/** The length of a value as JSON. @units bytes */
export const jsonBytes = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length

/** Refuses JSON of more than 16 KiB. */
export const smallJson = z.refine(
  (value: unknown) => jsonBytes(value) <= maxJsonBytes,
  'expected at most 16 KiB of JSON',
)
