import * as z from 'zod/mini'
import { maybe } from './maybe.js'
import { openObject } from './open.js'

/**
 * The service's answer when it refuses or fails.
 *
 * @source interface.md "Errors"
 */
export const ErrorAnswer = openObject({ error: z.optional(z.unknown()), message: maybe(z.string()) })
export type ErrorAnswer = z.infer<typeof ErrorAnswer>
