import { eq } from 'drizzle-orm'
import { webhookEvents } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { ServiceError } from '../errors.js'

/**
 * Gets an event in the exact bytes that its endpoints receive.
 *
 * @throws {@link ServiceError} `not-found`.
 */
export const getEventBody = async (
  { db }: Pick<Deps, 'db'>,
  { eventId }: { eventId: string },
): Promise<string> => {
  const [event] = await db
    .select({ body: webhookEvents.body })
    .from(webhookEvents)
    .where(eq(webhookEvents.id, eventId))
  if (!event) throw new ServiceError('not-found', `there is no event ${eventId}`)
  return event.body
}
