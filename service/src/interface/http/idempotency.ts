import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { assertIdempotencyKey, contentOf } from 'kassa/engine'
import type { Actor, Reply } from '#base/call.js'
import type { Config } from '#base/config/config.js'
import type { Deps } from '#base/deps.js'
import { checkInput } from '#base/errors.js'
import type { ServiceEnv } from './context.js'
import { type Claim, claimKey, completeKey, releaseKey } from './idempotencyClaims.js'
import { readText } from './readBody.js'
import { openReply, sealReply } from './sealReply.js'

type IdempotencyDeps = Pick<Deps, 'db' | 'now' | 'randomBytes' | 'log'> & {
  config: Pick<Config, 'retention'>
}

const pollMs = 50
const hash = (...parts: string[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex')

/** Returns what idempotency keys belong to. */
const callerIdOf = (actor: Actor): string => {
  if (actor.kind === 'client-secret') return actor.orderId
  return actor.kind === 'session' ? actor.sessionId : actor.keyId
}

const waitForClaim = async (
  deps: IdempotencyDeps,
  asked: { id: string; bodyHash: string },
): Promise<Exclude<Claim, { status: 'pending' }>> => {
  for (;;) {
    const claim = await claimKey(deps.db, asked, {
      nowMs: deps.now(),
      keepMs: deps.config.retention.repliesMs,
    })
    if (claim.status !== 'pending') return claim
    await sleep(pollMs)
  }
}

const answer = (c: Context<ServiceEnv>, status: number, body: string): Response =>
  c.body(body, status === 201 ? 201 : 200, { 'content-type': 'application/json' })

/**
 * Makes a POST with an `x-idempotency-key` happen once in 24 hours. A repeated request, even a concurrent
 * one, gets the first answer byte for byte.
 *
 * Refusals are not stored: nothing was written, so nothing can happen twice. A caller that corrects a refused
 * body sends it under the same key. A 404 or 409, read from the current state, may have another answer a
 * moment later.
 */
export const idempotency = (deps: IdempotencyDeps) =>
  createMiddleware<ServiceEnv>(async (c, next) => {
    const key = c.req.header('x-idempotency-key')
    if (key === undefined) return next()
    const { actor, client } = c.get('call')
    checkInput(() => assertIdempotencyKey(key, actor.kind === 'client-key'))
    const credential = c.get('credential')
    const caller = callerIdOf(actor)
    const id = hash(caller, c.req.path, key)
    const bodyHash = hash(contentOf(await readText(c)))
    const claim = await waitForClaim(deps, { id, bodyHash })
    if (claim.status === 'done') {
      return answer(c, claim.replyStatus, openReply(claim.reply, credential, key))
    }

    const claimed = { id, claim: claim.claim }
    const complete = async (tx: Parameters<typeof completeKey>[0], { status, body }: Reply) => {
      const text = JSON.stringify(body)
      const reply = sealReply(text, credential, key, deps.randomBytes)
      await completeKey(tx, { ...claimed, status, reply })
      c.set('stored', { status, text })
    }
    c.set('call', { actor, client, requestHash: hash(id, bodyHash), complete })
    await next()
    if (c.error || !c.res.ok) {
      // If a transaction stored the answer after all, there is nothing to release.
      await releaseKey(deps.db, claimed).catch((err) => deps.log.warn({ err }, 'a claim was not released'))
      return
    }
    if (c.get('stored')) return
    const status = c.res.status === 201 ? 201 : 200
    await complete(deps.db, { status, body: await c.res.clone().json() })
  })
