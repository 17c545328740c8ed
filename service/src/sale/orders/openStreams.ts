import { ServiceError } from '#base/errors.js'
import type { OrderStreamParameters } from '#base/ports/orderStreams.js'
import type { OrderStream } from './orderStream.js'

/** An order that has streams. */
export type FollowedOrder = {
  streams: Set<OrderStream>
  /** The revision that was last read. */
  revision?: number
}

/** The open streams of a process, by their orders. */
export type OpenStreams = {
  readonly count: number
  readonly followed: ReadonlyMap<string, FollowedOrder>
  /** Lists all streams as they are now. Those that end meanwhile stay in the list. */
  list(): OrderStream[]
  /** @throws `rate-limited` if the order, the network or this process has too many streams. */
  assertRoom(parameters: OrderStreamParameters): void
  add(stream: OrderStream): void
  /** Does nothing if the stream is not open any more. */
  remove(stream: OrderStream): void
}

const maxOfOrder = 20
/** One network has no more than this share of the streams: a shop's server may open them for all its buyers. */
const shareOfNetwork = 0.1

const refuse = (message: string): ServiceError =>
  new ServiceError('rate-limited', `${message}: close one, or poll the order`, { retryAfterSeconds: 30 })

/** Creates the list of a process's open streams. */
export const createOpenStreams = (maxOrderStreams: number): OpenStreams => {
  const followed = new Map<string, FollowedOrder>()
  const countByNetwork = new Map<string, number>()
  let count = 0
  return {
    get count() {
      return count
    },
    followed,
    list: () => [...followed.values()].flatMap(({ streams }) => [...streams]),
    assertRoom: ({ orderId, network }) => {
      if (count >= maxOrderStreams) throw refuse('The service has too many open streams')
      if ((followed.get(orderId)?.streams.size ?? 0) >= maxOfOrder) {
        throw refuse(`The order has ${maxOfOrder} open streams`)
      }
      const maxOfNetwork = Math.ceil(maxOrderStreams * shareOfNetwork)
      if ((countByNetwork.get(network) ?? 0) >= maxOfNetwork) {
        throw refuse(`Your address has ${maxOfNetwork} open streams`)
      }
    },
    add: (stream) => {
      const found = followed.get(stream.orderId) ?? { streams: new Set() }
      followed.set(stream.orderId, found)
      found.streams.add(stream)
      count += 1
      countByNetwork.set(stream.network, (countByNetwork.get(stream.network) ?? 0) + 1)
    },
    remove: (stream) => {
      const found = followed.get(stream.orderId)
      if (!found?.streams.delete(stream)) return
      count -= 1
      if (!found.streams.size) followed.delete(stream.orderId)
      const left = (countByNetwork.get(stream.network) ?? 1) - 1
      if (left > 0) countByNetwork.set(stream.network, left)
      else countByNetwork.delete(stream.network)
    },
  }
}
