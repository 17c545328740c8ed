import { and, eq, inArray, lte, type SQL } from 'drizzle-orm'
import type { Database } from '#base/db/database.js'
import { tokenCursors, tokenHoldings } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { chunk } from '#base/lib/chunk.js'
import type { BlockRef, ChainPort } from '#base/ports/chain.js'
import { firstBlock } from './firstBlock.js'
import { cursorName, isWallet, type TokenPlace } from './tokenPlace.js'

/** What reading transfers needs. */
export type TokenLookDeps = Pick<Deps, 'db' | 'log' | 'now' | 'config'>

/** The block up to which the transfers of a contract or wallet are known; -1 before the first. */
type TokenCursor = { number: bigint; hash: string | null; savedAtMs: number }

/** The most rows per statement, which has a limited number of parameters. */
const rowsAtOnce = 5_000

/** Reads up to which block contracts were read. Contracts that were never read are left out. */
export const readCursors = async (
  db: Database,
  chain: string,
  contracts: readonly string[],
): Promise<Map<string, TokenCursor>> => {
  const cursors = new Map<string, TokenCursor>()
  for (const some of chunk(contracts, rowsAtOnce)) {
    const isOne = and(eq(tokenCursors.chain, chain), inArray(tokenCursors.contract, some))
    for (const { contract, blockNumber, blockHash, updatedAt } of await db
      .select()
      .from(tokenCursors)
      .where(isOne)) {
      cursors.set(contract, { number: blockNumber, hash: blockHash, savedAtMs: updatedAt.getTime() })
    }
  }
  return cursors
}

/** The chain whose cursors are written, and the time that is written. */
type CursorWrite = { chain: string; nowMs: number }

/** Begins to read contracts. Those that another process has begun meanwhile stay where they are. */
export const beginCursors = async (
  db: Database,
  { chain, nowMs }: CursorWrite,
  begun: readonly { contract: string; number: bigint }[],
): Promise<void> => {
  for (const some of chunk(begun, rowsAtOnce)) {
    const rows = some.map(({ contract, number: blockNumber }) => {
      return { chain, contract, blockNumber, updatedAt: new Date(nowMs) }
    })
    await db.insert(tokenCursors).values(rows).onConflictDoNothing()
  }
}

/**
 * Records up to which block contracts were read. A slower process does not set it back.
 *
 * @param block - Its hash, if known, shows when a development chain was reset.
 */
export const advanceCursors = async (
  db: Database,
  { chain, nowMs }: CursorWrite,
  { contracts, block }: { contracts: readonly string[]; block: ReadTo },
): Promise<void> => {
  const { number: blockNumber, hash: blockHash } = block
  for (const some of chunk(contracts, rowsAtOnce)) {
    const isOne = and(eq(tokenCursors.chain, chain), inArray(tokenCursors.contract, some))
    await db
      .update(tokenCursors)
      .set({ blockNumber, blockHash, updatedAt: new Date(nowMs) })
      .where(and(isOne, lte(tokenCursors.blockNumber, blockNumber)))
  }
}

/** Marks contracts to be read again after a block, because the chain was reset. */
const moveCursorsBack = async (
  db: Database,
  { chain, nowMs }: CursorWrite,
  { contracts, blockNumber }: { contracts: readonly string[]; blockNumber: bigint },
): Promise<void> => {
  for (const some of chunk(contracts, rowsAtOnce)) {
    await db
      .update(tokenCursors)
      .set({ blockNumber, blockHash: null, updatedAt: new Date(nowMs) })
      .where(and(eq(tokenCursors.chain, chain), inArray(tokenCursors.contract, some)))
  }
}

/** Deletes the holdings of contracts and wallets on a chain that was reset. */
const forgetHoldings = async (
  db: Database,
  chain: string,
  { contracts, holders }: { contracts: readonly string[]; holders: readonly string[] },
): Promise<void> => {
  const forget = (areThese: SQL) =>
    db.delete(tokenHoldings).where(and(eq(tokenHoldings.chain, chain), areThese))
  for (const some of chunk(contracts, rowsAtOnce)) await forget(inArray(tokenHoldings.contract, some))
  for (const some of chunk(holders, rowsAtOnce)) await forget(inArray(tokenHoldings.holder, some))
}

/** How long the last block that was read may be missing before the chain is read from an earlier block. */
const behindForMs = 10 * 60_000
/** How many blocks earlier: the most that are ever read again. */
const stepBlocks = 1_800n

/** The block up to which a contract or wallet was read. */
export type ReadTo = Pick<TokenCursor, 'number' | 'hash'>

type Cursors = ReadonlyMap<string, TokenCursor>

const namesOf = (cursors: Cursors, isOne: (cursor: TokenCursor) => boolean): string[] =>
  [...cursors].filter(([, cursor]) => isOne(cursor)).map(([name]) => name)

/** Finds what was read on a development chain that no longer exists. */
const findStartedAnew = async (chain: ChainPort, cursors: Cursors): Promise<string[]> => {
  if (!chain.isLocal) return []
  const hashes = new Map<bigint, string | undefined>()
  for (const { number, hash } of cursors.values()) {
    if (hash !== null && !hashes.has(number)) hashes.set(number, (await chain.getBlock(number))?.hash)
  }
  return namesOf(cursors, ({ number, hash }) => hash !== null && hashes.get(number) !== hash)
}

/**
 * Finds the blocks from which contracts and wallets are to be read. Starts again where the stored block cannot be
 * right: on a development chain that was reset, or on a chain that has lacked the last read block for long.
 *
 * @returns Up to which block each was read. If the node knows fewer blocks than were read, it is behind, and the
 * contract or wallet is left out.
 */
export const openCursors = async (
  deps: TokenLookDeps,
  chain: ChainPort,
  head: BlockRef,
  places: readonly TokenPlace[],
): Promise<Map<string, ReadTo>> => {
  const { db, now, log } = deps
  const names = places.map(cursorName)
  const read = () => readCursors(db, chain.chain, names)
  const known = await read()
  const unknown = places.filter((place) => !known.has(cursorName(place)))
  const begun: { contract: string; number: bigint }[] = []
  for (const place of unknown) {
    const number = (await firstBlock(deps, chain, { head, place })) - 1n
    // At most the head: a node that is behind may already know the contract's transaction.
    begun.push({ contract: cursorName(place), number: number < head.number ? number : head.number })
  }
  const write = { chain: chain.chain, nowMs: now() }
  await beginCursors(db, write, begun)

  const anew = await findStartedAnew(chain, known)
  if (anew.length) {
    log.warn({ chain: chain.chain }, 'local chain was reset: rescanning its tokens from block 0')
    await moveCursorsBack(db, write, { contracts: anew, blockNumber: -1n })
    const lost = places.filter((place) => anew.includes(cursorName(place)))
    const addressesOf = (some: readonly TokenPlace[]) => some.map(({ address }) => address)
    await forgetHoldings(db, chain.chain, {
      contracts: addressesOf(lost.filter((place) => !isWallet(place))),
      holders: addressesOf(lost.filter(isWallet)),
    })
  }
  const isLost = ({ number, savedAtMs }: TokenCursor) =>
    number > head.number && now() - savedAtMs >= behindForMs
  const lost = namesOf(known, isLost).filter((name) => !anew.includes(name))
  if (lost.length) {
    log.warn({ chain: chain.chain, head: `${head.number}` }, 'the chain lacks blocks whose tokens were read')
    const earlier = head.number > stepBlocks ? head.number - stepBlocks : -1n
    await moveCursorsBack(db, write, { contracts: lost, blockNumber: earlier })
  }
  const changed = begun.length || anew.length || lost.length
  const current = changed ? await read() : known
  return new Map([...current].filter(([, { number }]) => number <= head.number))
}
