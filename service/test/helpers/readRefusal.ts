import * as z from 'zod/mini'

const Refusal = z.strictObject({ error: z.literal(true), message: z.string() })

/** The message of an error body, which holds nothing else. */
export const readRefusal = async (response: Response): Promise<string> =>
  z.parse(Refusal, await response.json()).message
