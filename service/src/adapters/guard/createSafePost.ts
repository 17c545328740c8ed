import { request } from 'undici'
import type { SafePost } from '#base/ports/guard.js'
import { beforeDeadline } from './beforeDeadline.js'
import { checkUrl, isPublicAddress } from './checkUrl.js'
import { createGuardedAgent, type Guard, lookUpAll } from './createGuardedAgent.js'

const drainBytes = 64 * 1024

/** Creates the post to webhook endpoints. If it is guarded, it reaches public addresses only. */
export const createSafePost = ({
  isGuarded,
  lookup = lookUpAll,
  isPublic = isPublicAddress,
  timeoutMs = 15_000,
}: Partial<Guard> & { isGuarded: boolean; timeoutMs?: number }): SafePost => {
  const mayReach = isGuarded ? isPublic : () => true
  const dispatcher = createGuardedAgent({ lookup, isPublic: mayReach }, timeoutMs)
  return async (url, { headers, body }) => {
    const target = checkUrl(url, mayReach)
    return beforeDeadline(timeoutMs, async (signal) => {
      const answer = await request(target, { dispatcher, method: 'POST', headers, body, signal })
      // The status is the answer, whether or not the body ever ends.
      answer.body.dump({ limit: drainBytes, signal: AbortSignal.timeout(timeoutMs) }).catch(() => {})
      return { status: answer.statusCode }
    })
  }
}
