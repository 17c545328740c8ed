import * as z from 'zod/mini'

/** An e-mail that is sent once more. */
export const ResentMail = z.looseObject({ mailId: z.string(), kind: z.string(), recipient: z.string() })
export type ResentMail = z.infer<typeof ResentMail>
