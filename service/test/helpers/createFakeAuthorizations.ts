import type { Database } from '#base/db/database.js'
import { withMutex } from '#base/lib/withMutex.js'
import type {
  AuthorizationPort,
  AuthorizationRefusal,
  SimulatedAuthorization,
} from '#base/ports/authorizations.js'
import type { ChainPort } from '#base/ports/chain.js'
import type { WriteResult } from '#base/ports/write.js'
import type { FakeChain } from './createFakeChain.js'

const typedData = { domain: {}, types: {}, primaryType: 'TransferWithAuthorization', message: {} }

/** A chain in memory whose tokens take signatures: what the test says of them. */
export const createFakeAuthorizations = (chain: FakeChain, db: Database) => {
  const written = new Map<string, WriteResult>()
  const state = {
    /** What the chain answers to a simulation. */
    simulated: { status: 'ready', fee: 0n } as SimulatedAuthorization,
    /** Why the next write fails in its block. */
    revert: undefined as string | undefined,
    /** Why what was signed does not agree with the order. */
    refused: undefined as AuthorizationRefusal | undefined,
    /** Runs in the place of the process, at a point of a write. It throws to end the process. */
    at: (_point: 'simulate' | 'signed' | 'sent' | 'landed'): void | Promise<void> => {},
    /** The keys of the writes that the chain made. */
    sent: [] as string[],
    simulations: 0,
  }
  const authorizations: AuthorizationPort = {
    findTransferToken: async (currency) => {
      const address = chain.port.currencies.find((known) => known.currency === currency)?.address
      return address === undefined ? undefined : { address, name: 'USDC', version: '2' }
    },
    read: async ({ deadlineMs }, { kind, payerAddress, message, signature }) => {
      if (state.refused) return { refused: state.refused }
      const validBefore = `${Math.floor(deadlineMs / 1000)}`
      const nonce = String(message.nonce ?? '0')
      return {
        authorization: { kind, payer: payerAddress, nonce, validAfter: '0', validBefore, signature },
      }
    },
    simulate: async () => {
      state.simulations++
      await state.at('simulate')
      return state.simulated
    },
    settle: (key, { orderId, currency, units, authorization }, terms) =>
      // As the outbox does: of two at once under one key, the second waits for the first.
      withMutex(`fake ${key}`, async () => {
        if (!written.has(key)) {
          // As the outbox does: the record is written with the signed bytes.
          await db.transaction(async (tx) => terms?.assertDue?.(tx))
          const txId = `0x${key}`
          const isRefused = state.revert !== undefined
          written.set(
            key,
            isRefused
              ? { status: 'failed', reason: state.revert ?? '', txId }
              : { status: 'succeeded', txId },
          )
          await state.at('signed')
        }
        const result = written.get(key)
        if (!result) throw new Error('nothing was written')
        if (!state.sent.includes(key)) {
          state.sent.push(key)
          const paid = { orderId, currency, units, payer: authorization.payer }
          if (result.status === 'succeeded') chain.pay({ ...paid, txId: result.txId })
        }
        if (result.txId !== undefined) terms?.onBroadcast?.(result.txId)
        await state.at('sent')
        if (result.status === 'succeeded') terms?.onLanded?.(result.txId)
        await state.at('landed')
        return result
      }),
  }
  const port: ChainPort = {
    ...chain.port,
    authorizations,
    preparePayment: async (input) => {
      const prepared = await chain.port.preparePayment(input)
      const isOffered = input.isSponsored && prepared.status !== 'insufficient-funds'
      const sponsored = { authorization: { kind: 'erc3009' as const, typedData }, fee: 0n }
      return isOffered ? { ...prepared, sponsored } : prepared
    },
  }
  return { port, state, written }
}
