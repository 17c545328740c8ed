import { fields } from 'kassa/schema'
import * as z from 'zod/mini'

/** The body of every refusal the service writes, but for those below. */
export const ErrorAnswer = z.object({ error: z.literal(true), message: z.string() })

/** The body of refusals where a text stands for all. */
export const TextErrorAnswer = z.object({ error: z.string() })

/** The body of a refusal that tells what the chain, or the operator's list, has against a transaction. */
export const ReasonErrorAnswer = z.object({ error: fields.TransactionError, message: z.string() })
