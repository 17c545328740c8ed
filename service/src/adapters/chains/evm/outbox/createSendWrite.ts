import type { WriteOptions, WriteResult } from '#base/ports/write.js'
import type { ChainParts } from '../chainParts.js'
import type { WriteTrace } from '../collections/writeTrace.js'
import { findDone } from './findDone.js'
import type { OutboxCall, Sharing } from './outboxCall.js'
import type { Refusal } from './toResult.js'

/** A call to send, the trace that it leaves on the chain, and whether it may share a transaction. */
export type Write = {
  makeCall: () => Promise<OutboxCall | Refusal>
  trace: WriteTrace | undefined
  sharing?: Sharing
}

/** Sends a write of the operator under a key, or waits for the one that was sent. */
export type SendWrite = (key: string, write: Write, terms?: WriteOptions) => Promise<WriteResult>

/**
 * Creates the function that sends the operator's writes. A write that failed counts as done if the chain shows that it
 * took effect after all.
 */
export const createSendWrite =
  ({ options, use }: ChainParts): SendWrite =>
  (key, { makeCall, trace, sharing }, terms) =>
    use(async ({ client, outbox }) => {
      const sent = await outbox.send(key, makeCall, { ...terms, sharing })
      const result = trace && sent.status === 'failed' ? await findDone(client, options, trace, sent) : sent
      // Without a signed transaction, another caller could still sign under this key, so the refusal is
      // recorded for every caller.
      return result.status === 'failed' && !result.txId ? outbox.keepRefusal(key, result) : result
    })
