import { eq } from 'drizzle-orm'
import { explainChainAddress, type SaleRules } from 'kassa/engine'
import { noLimit, type SaleRulesChange } from 'kassa/schema'
import type { Transaction } from '#base/db/database.js'
import { allowListAddresses } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { createUuid } from '#base/lib/uuid.js'
import type { TermsReading } from './readPayments.js'

/** The wallets of an allow-list that is about to be stored. */
export type NewAllowList = { listId: string; addresses: readonly string[] }

/** Phases as they are stored, and the allow-lists that belong to them. */
export type ReadPhases = { phases: NonNullable<SaleRules['phases']>; lists: NewAllowList[] }

/** What phases are read for, with the rules of the sale that they replace. */
type PhaseReading = TermsReading & { present?: SaleRules | null }

/**
 * Reads the phases of a sale: the addresses of allow-lists in the canonical form of the collection's chain. A `listId`
 * of the present rules keeps its addresses.
 */
export const readPhases = (
  { randomBytes }: Pick<Deps, 'randomBytes'>,
  { chain, faults, present }: PhaseReading,
  given: NonNullable<SaleRulesChange['phases']>,
): ReadPhases => {
  const lists: NewAllowList[] = []
  const phases = given.map(({ allowList, maxTokens, ...rest }, index) => {
    const phase = maxTokens === undefined || maxTokens === noLimit ? rest : { ...rest, maxTokens }
    if (!allowList) return phase
    const { addresses, merkleRoot, listId: keptId } = allowList
    if (merkleRoot !== undefined && !chain.isInMerkleTree) {
      faults.push(`sale.phases[${index}].allowList.merkleRoot: is for EVM chains; name addresses instead`)
    }
    if (keptId !== undefined) {
      const kept = present?.phases?.find((one) => one.allowList?.listId === keptId)?.allowList
      if (!kept) faults.push(`sale.phases[${index}].allowList.listId: no phase of this collection has it now`)
      return { ...phase, allowList: { merkleRoot, listId: keptId, addressCount: kept?.addressCount ?? 0 } }
    }
    if (!addresses) return { ...phase, allowList: { merkleRoot } }
    const read = addresses.flatMap((address, at) => {
      const parsed = chain.parseAddress(address)
      if (parsed === undefined && faults.length < 10) {
        faults.push(
          `sale.phases[${index}].allowList.addresses[${at}]: ${explainChainAddress(address, chain.chain)}`,
        )
      }
      return parsed ?? []
    })
    const list = { listId: createUuid(randomBytes), addresses: [...new Set(read)] }
    lists.push(list)
    const { listId } = list
    return { ...phase, allowList: { merkleRoot, listId, addressCount: list.addresses.length } }
  })
  return { phases, lists }
}

const rowsPerInsert = 5_000

/** Stores allow-lists, in the transaction that stores their phases. */
export const insertAllowLists = async (tx: Transaction, lists: readonly NewAllowList[]): Promise<void> => {
  for (const { listId, addresses } of lists) {
    for (let first = 0; first < addresses.length; first += rowsPerInsert) {
      const rows = addresses.slice(first, first + rowsPerInsert).map((address) => ({ listId, address }))
      await tx.insert(allowListAddresses).values(rows)
    }
  }
}

const listIdsOf = (sale: SaleRules | null): string[] =>
  (sale?.phases ?? []).flatMap(({ allowList }) => allowList?.listId ?? [])

/** Deletes the allow-lists of the phases of a sale that its rules no longer name. */
export const deleteAllowLists = async (
  tx: Transaction,
  before: SaleRules | null,
  after: SaleRules | null,
): Promise<void> => {
  const kept = listIdsOf(after)
  for (const listId of listIdsOf(before)) {
    if (kept.includes(listId)) continue
    await tx.delete(allowListAddresses).where(eq(allowListAddresses.listId, listId))
  }
}
