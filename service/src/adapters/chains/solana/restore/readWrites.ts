import type { Address, Rpc, Signature, SolanaRpcApi } from '@solana/kit'
import { ASSOCIATED_TOKEN_PROGRAM_ADDRESS } from '@solana-program/token-2022'
import type { CollectionRef } from '#base/ports/collections.js'
import type { FoundWrite } from '#base/ports/restore.js'
import { deriveCollection, deriveToken } from '../connection/derivedAddresses.js'
import { memoMark } from '../outbox/memo.js'
import type { PaymentTerms } from '../payments/paymentTerms.js'
import { readOwn, readTransfer } from '../payments/readStatement.js'

/** How many ids of a collection's tokens are compared with the mints of a transaction. */
const maxTokenIds = 20_000n

/** A transaction with the memo of a write, as the node lists it. */
export type SignedWrite = { signature: Signature; memo: string | null }

type Own = NonNullable<Awaited<ReturnType<typeof readOwn>>>

const readMint = (
  operator: Address,
  { accounts, instructions }: Own,
  collections: readonly CollectionRef[],
): { contractAddress: string; tokenId: bigint; recipient: string } | undefined => {
  const named = new Set<string>(accounts)
  const opening = instructions.find(
    ({ programAddress }) => programAddress === ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
  )
  const recipient = opening?.accounts?.[2]?.address ?? ''
  for (const collection of collections) {
    const { address: group } = deriveCollection(operator, collection)
    if (!named.has(group)) continue
    for (let tokenId = 0n; tokenId < maxTokenIds; tokenId++) {
      if (named.has(deriveToken(operator, group, tokenId).address))
        return { contractAddress: group, tokenId, recipient }
    }
  }
  return undefined
}

const readPayOut = (
  { currencies }: PaymentTerms,
  { instructions, accounts, owners }: Own,
): { orderReference: string; currency: string; units: bigint; recipient: string } | undefined => {
  const transfers = instructions.flatMap((one) => readTransfer(one) ?? [])
  const transfer = transfers.at(-1)
  // The reference is the last account that a payout names.
  const last = instructions.findLast((one) => readTransfer(one) !== undefined)
  const orderReference = last?.accounts?.at(-1)?.address
  if (!transfer || orderReference === undefined || !accounts.includes(orderReference)) return undefined
  const mintOf = last?.accounts?.length === 5 ? last.accounts[1]?.address : undefined
  const currency = currencies.find(({ address }) => address === mintOf)?.currency
  if (currency === undefined) return undefined
  const recipient = owners.get(transfer.destination) ?? transfer.destination
  // What is taken off a refund in a token for the account of its recipient is a transfer too.
  const parts = mintOf ? transfers.filter(({ source }) => source === transfer.source) : [transfer]
  const units = parts.reduce((sum, part) => sum + part.units, 0n)
  return { orderReference, currency, units, recipient }
}

/**
 * Reads what a transaction of the operator has minted or paid out.
 *
 * @returns `undefined` if it is not the operator's.
 */
export const readWrites = async (
  rpc: Rpc<SolanaRpcApi>,
  { terms, collections }: { terms: PaymentTerms; collections: readonly CollectionRef[] },
  { signature, memo }: SignedWrite,
): Promise<FoundWrite[] | undefined> => {
  const own = await readOwn(rpc, terms.operator, signature)
  if (!own) return undefined
  // Nodes write the length of a memo before it.
  const reference = memo?.slice(memo.indexOf(memoMark)) ?? signature
  const known = { reference, txId: signature }
  const mint = readMint(terms.operator, own, collections)
  if (mint) return [{ kind: 'mint', ...known, ...mint }]
  const payOut = readPayOut(terms, own)
  return payOut ? [{ kind: 'pay-out', ...known, ...payOut }] : []
}
