import * as z from 'zod/mini'

/** The body of every refusal the service writes. */
export const ErrorAnswer = z.object({ error: z.literal(true), message: z.string() })
