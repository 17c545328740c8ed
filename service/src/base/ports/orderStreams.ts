import type { Audience } from 'kassa/engine'

/** Who follows an order, and from where. */
export type OrderStreamParameters = {
  orderId: string
  audience: Audience
  /** The network that the stream counts against. */
  network: string
  /** The id of the last event that the caller received. */
  lastEventId?: string | undefined
}

/** The open streams of this process. Each sends an order's states to one caller as server-sent events. */
export type OrderStreams = {
  /**
   * Opens a stream that sends the order as it is now, unless the caller has it already, and after every change.
   *
   * @throws `rate-limited` if the order, the network or this process has too many streams.
   */
  open(parameters: OrderStreamParameters): ReadableStream<Uint8Array>
  /** Lists the orders that have an open stream. */
  listFollowed(): readonly string[]
  /** Ends every stream. Its caller connects again, to another process. */
  stop(): Promise<void>
}
