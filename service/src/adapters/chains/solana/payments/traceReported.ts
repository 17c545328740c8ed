import type { Address, Rpc, Signature, SolanaRpcApi } from '@solana/kit'
import type { ChainPort } from '#base/ports/chain.js'
import type { Operator } from '../chainParts.js'
import { readStatus } from '../connection/readBlock.js'
import { explainFailure } from '../outbox/explainFailure.js'

const namesAddress = async (rpc: Rpc<SolanaRpcApi>, txId: string, address: Address): Promise<boolean> => {
  const terms = { commitment: 'confirmed', limit: 1_000 } as const
  const page = await rpc.getSignaturesForAddress(address, terms).send()
  return page.some(({ signature }) => signature === (txId as Signature))
}

/** Checks what became of a transaction that a buyer reported for an order. */
export const traceReported = async (
  rpc: Rpc<SolanaRpcApi>,
  { terms }: Pick<Operator, 'terms'>,
  { txId, orderId }: Pick<Parameters<ChainPort['traceReported']>[0], 'txId' | 'orderId'>,
): ReturnType<ChainPort['traceReported']> => {
  const status = await readStatus(rpc, txId)
  if (!status) return 'unknown'
  if (status.err === null) return 'known'
  const places = await terms.holdingPlacesOf(orderId)
  const own = places.map(({ account }) => namesAddress(rpc, txId, account))
  const isForOrder = (await Promise.all(own)).includes(true)
  const reason = isForOrder ? await explainFailure(rpc, txId, status.err) : ''
  return /insufficient/i.test(reason) ? 'insufficient-funds' : 'known'
}
