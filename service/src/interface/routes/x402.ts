import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Context, Hono } from 'hono'
import { canonicalJson } from 'kassa/engine'
import * as z from 'zod/mini'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { parseInput } from '#base/lib/parseInput.js'
import { createUuid } from '#base/lib/uuid.js'
import { payCollection } from '#sale/x402/payCollection.js'
import { payOrder } from '#sale/x402/payOrder.js'
import {
  type PaymentPayload,
  paymentIdentifier,
  readPaymentHeader,
  readPaymentIdentifier,
  type X402Reply,
  x402Headers,
} from '#sale/x402/protocol.js'
import { readCaller } from '../http/authenticate.js'
import { callerNetwork } from '../http/callerAddress.js'
import type { ServiceEnv } from '../http/context.js'
import { type Claim, claimKey, completeKey, releaseKey } from '../http/idempotencyClaims.js'
import { orderIdOf } from '../http/orderIdOf.js'
import { countRequest, type RateLimits } from '../http/rateLimit.js'
import { openReply, sealReply } from '../http/sealReply.js'

const pollMs = 50

const GoodsQuery = z.object({
  projectId: z.optional(z.uuid('expected a UUID')),
  templateId: z.optional(z.string().check(z.minLength(1, 'expected an id'), z.maxLength(64, 'too long'))),
})

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

/** A payment that its client may send again, and where. */
type Identified = { path: string; identifier: string; content: string }

/** Claims the identifier of a payment, or waits for its answer while another request brings the same payment. */
const claimIdentifier = async (
  { db, config, now }: Deps,
  { id, bodyHash }: { id: string; bodyHash: string },
): Promise<Exclude<Claim, { status: 'pending' }>> => {
  for (;;) {
    const claim = await claimKey(
      db,
      { id, bodyHash },
      { nowMs: now(), keepMs: config.retention.repliesMs },
    ).catch((error: unknown) => {
      if (!(error instanceof ServiceError) || error.code !== 'conflict') throw error
      const message = `extensions.${paymentIdentifier}.info.id: this identifier was used for another payment`
      throw new ServiceError('conflict', message)
    })
    if (claim.status !== 'pending') return claim
    await sleep(pollMs)
  }
}

/**
 * Answers a payment with an identifier once. The same payment again gets the stored answer, before anything of it is
 * checked: by then its transfer may be settled, or its time over. A refusal is not stored.
 */
const answerOnce = async (
  deps: Deps,
  { path, identifier, content }: Identified,
  run: () => Promise<X402Reply>,
): Promise<X402Reply> => {
  const id = hash(canonicalJson(['x402', path, identifier]))
  const claim = await claimIdentifier(deps, { id, bodyHash: hash(content) })
  // Only who has the payment itself may read what it was answered.
  if (claim.status === 'done') return JSON.parse(openReply(claim.reply, content, identifier)) as X402Reply
  const claimed = { id, claim: claim.claim }
  try {
    const reply = await run()
    if (reply.status !== 200) {
      await releaseKey(deps.db, claimed)
      return reply
    }
    const text = JSON.stringify(reply)
    const sealed = sealReply(text, content, identifier, deps.randomBytes)
    await completeKey(deps.db, { ...claimed, status: reply.status, reply: sealed })
    return reply
  } catch (error) {
    await releaseKey(deps.db, claimed).catch((err) => deps.log.warn({ err }, 'a claim was not released'))
    throw error
  }
}

/** Reads the payment of a request, and answers it once if it has an identifier. */
const answer = async (
  deps: Deps,
  c: Context<ServiceEnv>,
  run: (payment: PaymentPayload | undefined) => Promise<X402Reply>,
): Promise<Response> => {
  const header = c.req.header(x402Headers.signature)
  const payment = header === undefined ? undefined : readPaymentHeader(header)
  const identifier = payment && readPaymentIdentifier(payment)
  const reply =
    identifier === undefined
      ? await run(payment)
      : await answerOnce(deps, { path: c.req.path, identifier, content: canonicalJson(payment) }, () =>
          run(payment),
        )
  for (const [name, value] of Object.entries(reply.headers)) c.header(name, value)
  c.header('cache-control', 'no-store')
  return c.json(reply.body as object, reply.status)
}

/** Serves what software pays for by x402: orders at their own URL, and collections. No key is needed. */
export const serveX402 = (deps: Deps, limits: RateLimits): Hono<ServiceEnv> => {
  const app = new Hono<ServiceEnv>()
  const networkOf = (c: Context<ServiceEnv>) => callerNetwork(c, deps.config.isBehindProxy)
  app.on(['GET', 'POST'], '/2022-06-09/orders/:orderId/x402', async (c) => {
    const orderId = orderIdOf(c)
    await countRequest(c, limits, [
      { limit: 'addressSecretWritesPerMinute', key: networkOf(c) },
      { limit: 'secretWritesPerMinute', key: orderId },
    ])
    const token = c.req.query('token') ?? ''
    const client = readCaller(c, deps.config.isBehindProxy)
    return answer(deps, c, (payment) => payOrder(deps, { orderId, token, payment, client }))
  })
  app.get('/x402/collections/:collectionId', async (c) => {
    const client = readCaller(c, deps.config.isBehindProxy)
    const { projectId, templateId } = parseInput(GoodsQuery, c.req.query(), 'query')
    const goods = { collectionId: c.req.param('collectionId'), projectId, templateId }
    const admit = (ofProject: string) =>
      countRequest(c, limits, [
        { limit: 'addressWritesPerMinute', key: `${ofProject}:${networkOf(c)}` },
        { limit: 'clientWritesPerMinute', key: ofProject, isShared: true },
      ])
    return answer(deps, c, (payment) =>
      payCollection(deps, { ...goods, payment, client, admit, orderId: createUuid(deps.randomBytes) }),
    )
  })
  return app
}
