import type { Address, Rpc, Signature, SolanaRpcApi } from '@solana/kit'
import { ASSOCIATED_TOKEN_PROGRAM_ADDRESS } from '@solana-program/token-2022'
import { and, eq, inArray } from 'drizzle-orm'
import type { Database } from '#base/db/database.js'
import { adoptedWrites } from '#base/db/tables/adoptedWrites.js'
import { solanaTransactions } from '#base/db/tables/solanaTransactions.js'
import { createUnknownWrites } from '#base/lib/unknownWrites.js'
import type { CollectionRef } from '#base/ports/collections.js'
import type { FoundWrite, FoundWrites, RestorePort } from '#base/ports/restore.js'
import { deriveCollection, deriveReference, deriveToken } from '../connection/derivedAddresses.js'
import { memoMark, referencesOf } from '../outbox/memo.js'
import type { PaymentTerms } from '../payments/paymentTerms.js'
import { readOwn, readTransfer } from '../payments/readStatement.js'

const pageSize = 1_000
/** How many ids of a collection's tokens are compared with the mints of a transaction. */
const maxTokenIds = 20_000n

type Signed = { signature: Signature; memo: string | null }

type Parts = {
  db: Database
  chain: string
  terms: PaymentTerms
  open(): Promise<Rpc<SolanaRpcApi>>
}

/** Finds on Solana what a database that was restored from a backup lacks: by the memos that every write has. */
export const createRestore = ({ db, chain, terms, open }: Parts) => {
  const { operator, currencies } = terms

  const listUnknown = async (page: readonly Signed[]): Promise<Signed[]> => {
    const signatures = page.map(({ signature }): string => signature)
    if (!signatures.length) return []
    const stored = await db
      .select({ signature: solanaTransactions.signature })
      .from(solanaTransactions)
      .where(inArray(solanaTransactions.signature, signatures))
    const adopted = await db
      .select({ signature: adoptedWrites.txId })
      .from(adoptedWrites)
      .where(and(eq(adoptedWrites.chain, chain), inArray(adoptedWrites.txId, signatures)))
    const known = new Set([...stored, ...adopted].map(({ signature }) => signature))
    return page.filter(({ signature }) => !known.has(signature))
  }

  /**
   * Lists the operator's writes that the database does not know, from the newest on. Those of before the backup follow
   * the first page in which it knows all.
   */
  const listWrites = async (rpc: Rpc<SolanaRpcApi>, until?: Signature) => {
    const unknown: Signed[] = []
    let before: Signature | undefined
    let newest: Signature | undefined
    for (;;) {
      const page = await rpc
        .getSignaturesForAddress(operator, {
          commitment: 'confirmed',
          limit: pageSize,
          ...(before !== undefined && { before }),
          ...(until !== undefined && { until }),
        })
        .send()
      newest ??= page[0]?.signature
      const writes = page.filter(({ err, memo }) => err === null && memo?.includes(memoMark))
      const found = await listUnknown(writes)
      unknown.push(...found)
      before = page.at(-1)?.signature
      if (page.length < pageSize || (writes.length && !found.length)) return { unknown, newest }
    }
  }

  const readMint = (
    { accounts }: { accounts: readonly Address[] },
    collections: readonly CollectionRef[],
  ): { contractAddress: string; tokenId: bigint } | undefined => {
    const named = new Set<string>(accounts)
    for (const { standard, key } of collections) {
      const { address: group } = deriveCollection(operator, `${standard}:${key}`)
      if (!named.has(group)) continue
      for (let tokenId = 0n; tokenId < maxTokenIds; tokenId++) {
        if (named.has(deriveToken(operator, group, tokenId).address))
          return { contractAddress: group, tokenId }
      }
    }
    return undefined
  }

  const readWrites = async (
    rpc: Rpc<SolanaRpcApi>,
    { signature, memo }: Signed,
    collections: readonly CollectionRef[],
  ): Promise<FoundWrite[] | undefined> => {
    const own = await readOwn(rpc, operator, signature)
    if (!own) return undefined
    // Nodes write the length of a memo before it.
    const reference = memo?.slice(memo.indexOf(memoMark)) ?? signature
    const { instructions, accounts, owners } = own
    const known = { reference, txId: signature }
    const mint = readMint(own, collections)
    if (mint) {
      const opening = instructions.find(
        ({ programAddress }) => programAddress === ASSOCIATED_TOKEN_PROGRAM_ADDRESS,
      )
      return [{ kind: 'mint', ...known, ...mint, recipient: opening?.accounts?.[2]?.address ?? '' }]
    }
    const transfers = instructions.flatMap((one) => readTransfer(one) ?? [])
    const transfer = transfers.at(-1)
    // The reference is the last account that a payout names.
    const last = instructions.findLast((one) => readTransfer(one) !== undefined)
    const orderReference = last?.accounts?.at(-1)?.address
    if (!transfer || orderReference === undefined || !accounts.includes(orderReference)) return []
    const mintOf = last?.accounts?.length === 5 ? last.accounts[1]?.address : undefined
    const currency = currencies.find(({ address }) => address === mintOf)?.currency
    if (currency === undefined) return []
    const recipient = owners.get(transfer.destination) ?? transfer.destination
    // What is taken off a refund in a token for the account of its recipient is a transfer too.
    const parts = mintOf ? transfers.filter(({ source }) => source === transfer.source) : [transfer]
    const units = parts.reduce((sum, part) => sum + part.units, 0n)
    return [{ kind: 'pay-out', ...known, orderReference, currency, units, recipient }]
  }

  let checked: Signature | undefined

  const port: RestorePort = {
    referencesOf: (key) => referencesOf(chain, key),
    orderReferenceOf: (orderId) => deriveReference(operator, orderId),
    find: async (collections) => {
      const rpc = await open()
      const found: FoundWrites = { writes: [], others: [], payments: [], mark: '' }
      for (const signed of (await listWrites(rpc)).unknown) {
        const writes = await readWrites(rpc, signed, collections)
        if (writes?.length) found.writes.push(...writes)
        else if (writes) found.others.push(signed.signature)
      }
      return found
    },
    // What is adopted is known by its signature.
    accept: async () => {},
  }

  return {
    port,
    /**
     * Asserts that the database knows all that the operator's key has written. After the first time, only what is new
     * is asked for.
     *
     * @throws {ServiceError} `chain-unavailable` if it does not.
     */
    assertKnown: async (rpc: Rpc<SolanaRpcApi>): Promise<void> => {
      const { unknown, newest } = await listWrites(rpc, checked)
      for (const { signature } of unknown) {
        // A stranger can name the operator and write such a memo.
        if (await readOwn(rpc, operator, signature)) throw createUnknownWrites(chain)
      }
      checked = newest ?? checked
    },
  }
}
