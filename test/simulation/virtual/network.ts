import type { Call } from '../../../service/src/base/call.js'
import type { Deps } from '../../../service/src/base/deps.js'
import { ServiceError, type ServiceErrorCode } from '../../../service/src/base/errors.js'
import type { ServiceProcess } from './serviceProcess.js'
import type { World } from './world.js'

/** What a client sees of a request that was lost, or whose answer was. */
class NetworkError extends Error {}

/** A call of one of the service's verbs, and the errors that it may answer with in these worlds. */
export type Request<Answer> = {
  verb: string
  send(deps: Deps, call: Call): Promise<Answer>
  refusals?: readonly ServiceErrorCode[]
}

const callOf = ({ projectId }: World): Call => ({
  actor: {
    kind: 'server-key',
    keyId: 'key',
    projectId,
    scopes: ['orders.capture', 'orders.create', 'orders.read', 'orders.refund', 'orders.update'],
  },
  client: {},
  complete: async () => {},
})

/** Sends a request to a process. Any error that it may not answer with is a violation. */
const sendTo = async <Answer>(
  world: World,
  { deps }: ServiceProcess,
  { verb, send, refusals }: Request<Answer>,
): Promise<Answer> => {
  try {
    return await send(deps, callOf(world))
  } catch (error) {
    const isRefusal = error instanceof ServiceError && refusals?.includes(error.code)
    if (!isRefusal) world.invariants.onFailure(verb, error)
    throw error
  }
}

/** Calls a verb over a network that delays, loses and repeats requests, and loses answers. */
export const callService = async <Answer>(world: World, request: Request<Answer>): Promise<Answer> => {
  const { dice, timeline } = world
  const slowMs = dice.fault('a request is slow', 0.03) ? dice.between('slow ms', 1_000, 60_000) : 0
  await timeline.sleep(slowMs + dice.between('network ms', 10, 400))
  const process = world.findProcess()
  if (!process || dice.fault('a request is lost', 0.02)) throw new NetworkError('no answer')
  if (dice.fault('a request arrives twice', 0.02)) void sendTo(world, process, request).catch(() => {})
  const answer = await sendTo(world, process, request)
  await timeline.sleep(dice.between('network ms', 10, 400))
  if (dice.fault('an answer is lost', 0.02)) throw new NetworkError('no answer')
  return answer
}
