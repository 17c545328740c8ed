import * as z from 'zod/mini'

const Refusal = z.strictObject({ error: z.literal(true), message: z.string() })

/** Returns the message of an error body, which must contain nothing else. */
export const readRefusal = async (response: Response): Promise<string> =>
  z.parse(Refusal, await response.json()).message
