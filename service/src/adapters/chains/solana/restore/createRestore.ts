import type { Rpc, Signature, SolanaRpcApi } from '@solana/kit'
import { and, eq, inArray } from 'drizzle-orm'
import { getOrderReference } from 'kassa/engine'
import type { Database } from '#base/db/database.js'
import { adoptedWrites } from '#base/db/tables/adoptedWrites.js'
import { solanaTransactions } from '#base/db/tables/solanaTransactions.js'
import { createUnknownWrites } from '#base/lib/unknownWrites.js'
import type { FoundWrites, RestorePort } from '#base/ports/restore.js'
import { memoMark, referencesOf } from '../outbox/memo.js'
import type { PaymentTerms } from '../payments/paymentTerms.js'
import { readOwn } from '../payments/readStatement.js'
import { readWrites, type SignedWrite } from './readWrites.js'

const pageSize = 1_000

type Parts = {
  db: Database
  chain: string
  terms: PaymentTerms
  open(): Promise<Rpc<SolanaRpcApi>>
}

const listUnknown = async ({ db, chain }: Parts, page: readonly SignedWrite[]): Promise<SignedWrite[]> => {
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
const listWrites = async (parts: Parts, rpc: Rpc<SolanaRpcApi>, until?: Signature) => {
  const unknown: SignedWrite[] = []
  let before: Signature | undefined
  let newest: Signature | undefined
  for (;;) {
    const page = await rpc
      .getSignaturesForAddress(parts.terms.operator, {
        commitment: 'confirmed',
        limit: pageSize,
        ...(before !== undefined && { before }),
        ...(until !== undefined && { until }),
      })
      .send()
    newest ??= page[0]?.signature
    const writes = page.filter(({ err, memo }) => err === null && memo?.includes(memoMark))
    const found = await listUnknown(parts, writes)
    unknown.push(...found)
    before = page.at(-1)?.signature
    if (page.length < pageSize || (writes.length && !found.length)) return { unknown, newest }
  }
}

/** Finds on Solana what a database that was restored from a backup lacks: by the memos that every write has. */
export const createRestore = (parts: Parts) => {
  const { chain, terms, open } = parts
  const { operator } = terms
  let checked: Signature | undefined

  const port: RestorePort = {
    referencesOf: (key) => referencesOf(chain, key),
    orderReferenceOf: (orderId) => getOrderReference(operator, orderId),
    find: async (collections) => {
      const rpc = await open()
      const found: FoundWrites = { writes: [], others: [], payments: [], mark: '' }
      for (const signed of (await listWrites(parts, rpc)).unknown) {
        const writes = await readWrites(rpc, { terms, collections }, signed)
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
      const { unknown, newest } = await listWrites(parts, rpc, checked)
      for (const { signature } of unknown) {
        // A stranger can name the operator and write such a memo.
        if (await readOwn(rpc, operator, signature)) throw createUnknownWrites(chain)
      }
      checked = newest ?? checked
    },
  }
}
