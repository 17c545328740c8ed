import * as z from 'zod/mini'

/**
 * What the service answers when it refuses or fails.
 *
 * @source interface.md "Errors"
 */
export const ErrorAnswer = z.looseObject({ error: z.optional(z.unknown()), message: z.optional(z.string()) })
export type ErrorAnswer = z.infer<typeof ErrorAnswer>
