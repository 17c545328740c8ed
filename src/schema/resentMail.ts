import * as z from 'zod/mini'
import { openObject } from './open.js'

/** An e-mail that is sent once more. */
export const ResentMail = openObject({ mailId: z.string(), kind: z.string(), recipient: z.string() })
export type ResentMail = z.infer<typeof ResentMail>
