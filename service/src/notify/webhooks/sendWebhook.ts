import { and, eq } from 'drizzle-orm'
import { Webhook } from 'standardwebhooks'
import { webhookAttempts, webhookDeliveries, webhookEndpoints, webhookEvents } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import type { JobData, JobHandler } from '#base/ports/jobs.js'
import { createTurns } from './createTurns.js'
import { openSecrets } from './endpointSecrets.js'
import { disabledFailure, removedFailure } from './endpoints.js'
import { nextSendAtMs } from './nextSend.js'

/**
 * Signs an event as Standard Webhooks define it, once per secret, and repeats the headers under svix's names.
 * A receiver that knows any of the secrets can verify it with either library.
 *
 * @returns The headers to send it with.
 * @source answers.md "Webhooks"
 */
const signWebhook = (
  { id, body }: { id: string; body: string },
  secrets: readonly string[],
  nowMs: number,
): Record<string, string> => {
  const signature = secrets.map((secret) => new Webhook(secret).sign(id, new Date(nowMs), body)).join(' ')
  const signed = { id, timestamp: `${Math.floor(nowMs / 1000)}`, signature }
  const named = ['webhook', 'svix'].flatMap((prefix) =>
    Object.entries(signed).map(([name, value]) => [`${prefix}-${name}`, value]),
  )
  return { 'content-type': 'application/json', 'user-agent': 'kassa-webhooks', ...Object.fromEntries(named) }
}

/**
 * Returns why an answer means that the event did not arrive, without any of the answer's content, or
 * `undefined` if it arrived.
 */
const describeStatus = (status: number): string | undefined => {
  if (status >= 200 && status < 300) return undefined
  if (status >= 300 && status < 400) return `answered with a redirect (${status}), which is not followed`
  return `answered with status ${status}`
}

/** Returns why there was no answer, without any of the address, which may contain a secret. */
const describeSilence = (error: unknown): string =>
  error instanceof ServiceError ? error.message : 'could not be reached'

/** What sending needs. */
export type SendDeps = Pick<Deps, 'db' | 'jobs' | 'log' | 'now' | 'randomBytes' | 'safePost' | 'vault'>

type Job = JobData['webhooks.send']
type Outcome = { lastStatus: number | null; failure: string | undefined; durationMs: number }

/** A job of an earlier round or attempt finds nothing. */
const isPresent = ({ eventId, endpointId, round, attempt }: Job) =>
  and(
    eq(webhookDeliveries.eventId, eventId),
    eq(webhookDeliveries.endpointId, endpointId),
    eq(webhookDeliveries.round, round),
    eq(webhookDeliveries.attempts, attempt - 1),
    eq(webhookDeliveries.status, 'pending'),
  )

const findMessage = async (db: SendDeps['db'], job: Job) => {
  const [found] = await db
    .select({ endpoint: webhookEndpoints, id: webhookEvents.id, body: webhookEvents.body })
    .from(webhookDeliveries)
    .innerJoin(webhookEvents, eq(webhookEvents.id, webhookDeliveries.eventId))
    .innerJoin(webhookEndpoints, eq(webhookEndpoints.id, webhookDeliveries.endpointId))
    .where(isPresent(job))
  return found
}

type Message = NonNullable<Awaited<ReturnType<typeof findMessage>>>

const sign = async ({ vault }: SendDeps, { endpoint, id, body }: Message, nowMs: number) => {
  try {
    const secrets = await openSecrets(vault, endpoint, nowMs)
    return signWebhook(
      { id, body },
      secrets.map(({ secret }) => secret),
      nowMs,
    )
  } catch {
    return undefined
  }
}

const post = async (deps: SendDeps, message: Message): Promise<Outcome> => {
  const startMs = deps.now()
  const end = (lastStatus: number | null, failure: string | undefined): Outcome => ({
    lastStatus,
    failure,
    durationMs: Math.max(0, Math.round(deps.now() - startMs)),
  })
  const headers = await sign(deps, message, startMs)
  if (!headers) return end(null, 'its secret cannot be decrypted')
  const { endpoint, body } = message
  try {
    const { status } = await deps.safePost(endpoint.url, { headers, body })
    return end(status, describeStatus(status))
  } catch (error) {
    return end(null, describeSilence(error))
  }
}

/**
 * Records how an attempt ended, unless it is recorded already, and enqueues the next one in the same
 * transaction.
 */
const record = async (
  deps: SendDeps,
  job: Job,
  { lastStatus, failure, durationMs }: Outcome,
): Promise<void> => {
  const { eventId, endpointId, round, attempt } = job
  const nowMs = deps.now()
  const againAtMs = failure === undefined ? undefined : nextSendAtMs(attempt, nowMs, deps.randomBytes)
  const startAfter = againAtMs === undefined ? null : new Date(againAtMs)
  const status = failure === undefined ? 'succeeded' : startAfter ? 'pending' : 'failed'
  const last = { lastStatus, lastFailure: failure ?? null, nextAttemptAt: startAfter }
  await deps.db.transaction(async (tx) => {
    const changed = await tx
      .update(webhookDeliveries)
      .set({ status, attempts: attempt, ...last, updatedAt: new Date(nowMs) })
      .where(isPresent(job))
      .returning({ eventId: webhookDeliveries.eventId })
    if (!changed.length) return
    const tried = { eventId, endpointId, round, attempt, at: new Date(nowMs - durationMs) }
    await tx
      .insert(webhookAttempts)
      .values({ ...tried, status: lastStatus, failure: failure ?? null, durationMs })
    if (!startAfter) return
    await deps.jobs.enqueue(tx, 'webhooks.send', { ...job, attempt: attempt + 1 }, { startAfter })
  })
  if (failure !== undefined) {
    deps.log.warn({ eventId, endpointId, attempt, failure }, 'a webhook was not delivered')
  }
}

/**
 * Sends one event to one endpoint at least once, always under the same `webhook-id`, even if it is killed at
 * any line. Without a 2xx answer it is sent again on the schedule, then marked failed.
 *
 * @source answers.md "Webhooks"
 */
export const sendWebhook = (deps: SendDeps): JobHandler<'webhooks.send'> => {
  const turns = createTurns(deps.now)
  return async (job) => {
    const message = await findMessage(deps.db, job)
    if (!message) return
    const { removedAt, disabledAt } = message.endpoint
    if (removedAt ?? disabledAt) {
      const lastFailure = removedAt ? removedFailure : disabledFailure
      const end = { status: 'failed' as const, lastFailure, nextAttemptAt: null }
      await deps.db.update(webhookDeliveries).set(end).where(isPresent(job))
      return
    }
    const turn = turns.take(job.endpointId)
    if ('againAtMs' in turn) {
      const startAfter = new Date(turn.againAtMs)
      return deps.db.transaction((tx) => deps.jobs.enqueue(tx, 'webhooks.send', job, { startAfter }))
    }
    const outcome = await post(deps, message).finally(turn.end)
    await record(deps, job, outcome)
  }
}
