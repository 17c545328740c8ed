import { fetchEncodedAccount } from '@solana/kit'
import { ServiceError } from '#base/errors.js'
import type { PreparePaymentInput } from '#base/ports/chain.js'
import { attemptKey } from '#base/ports/write.js'
import type { ChainParts } from '../chainParts.js'
import type { Connection } from '../connection/connect.js'
import type { SolanaChainOptions } from '../solanaChainOptions.js'
import { createOpening, createOpeningLimit, findOpeningKey } from './openOrderTokens.js'
import type { PaymentPlace } from './paymentTerms.js'

/** How often the token account of an order is opened if the chain loses it again. */
const maxOpenings = 5

const open = async (
  { db, chain }: Pick<SolanaChainOptions, 'db' | 'chain'>,
  { rpc, operator: signer, outbox }: Connection,
  { orderId, projectId, place }: PreparePaymentInput & { place: PaymentPlace },
): Promise<void> => {
  const trace = place.account
  const isOpen = async () => (await fetchEncodedAccount(rpc, trace, { commitment: 'confirmed' })).exists
  const makeInstructions = async () => createOpening(signer, place)
  const key = await findOpeningKey({ db, chain }, `${orderId}:${place.mint}`, projectId)
  const write = { makeInstructions, trace, isGuarded: false, commitment: 'confirmed' } as const
  let reason = 'the node does not show it'
  for (let attempt = 1; attempt <= maxOpenings; attempt++) {
    const sent = await outbox.send(attemptKey(key, attempt), write)
    // The chain may have lost the confirmed block of an earlier opening.
    if (await isOpen()) return
    if (sent.status === 'succeeded') continue
    reason = sent.reason
    break
  }
  const message = `The account of the order could not be opened on ${chain}: ${reason}`
  throw new ServiceError('chain-unavailable', message, { retryAfterSeconds: 5 })
}

/** Creates the function that opens the token account of an order, unless it is open or the payment is in coins. */
export const createOpenTokens = ({ options, use }: ChainParts) => {
  const { db, chain, log } = options
  const caps = options.openingsPerHour ?? {
    perProject: Number.POSITIVE_INFINITY,
    perChain: Number.POSITIVE_INFINITY,
  }
  const limitOpening = createOpeningLimit({ db, chain }, caps, log)

  return async (input: PreparePaymentInput, place: PaymentPlace): Promise<void> => {
    if (!place.mint) return
    await use(async (opened) => {
      const { exists } = await fetchEncodedAccount(opened.rpc, place.account, {
        commitment: 'confirmed',
      })
      if (!exists) await limitOpening(opened, input, () => open(options, opened, { ...input, place }))
    })
  }
}
