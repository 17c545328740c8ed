import type { FollowListener } from './family.js'
import { openFamily } from './openFamily.js'
import type { FamilyAccess, SentAttempt } from './payContext.js'
import type { Wait } from './wait.js'

const never = <Value>(): Promise<Value> => new Promise(() => undefined)

/**
 * Follows a sent transaction on its chain. On a chain that the app no longer reaches, the order reports the outcome.
 */
export const followPayment = (
  parameters: FamilyAccess,
  sent: SentAttempt,
  listener: FollowListener,
): Wait<string> => {
  let stop = (): void => undefined
  let isStopped = false
  const follow = async (): Promise<string> => {
    const family = await openFamily(parameters, sent).catch(() => undefined)
    if (isStopped || !family?.canReach(sent)) return never()
    const wait = family.follow(sent, listener)
    stop = wait.stop
    return wait.promise
  }
  return {
    promise: follow(),
    stop: () => {
      isStopped = true
      stop()
    },
  }
}
