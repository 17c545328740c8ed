import { and, eq, inArray, isNotNull, isNull, lte, or, sql } from 'drizzle-orm'
import type { Transaction } from '#base/db/database.js'
import { tokenHoldings } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { chunk } from '#base/lib/chunk.js'
import type { ChainPort } from '#base/ports/chain.js'
import type { SeenTransfer, TokenOfHolder } from '#base/ports/wallet.js'
import { canonicalAddress } from './listContracts.js'
import { slotsKeptSince, wasDenied } from './slots.js'

type Row = typeof tokenHoldings.$inferSelect
type Move = TokenOfHolder & { isArrival: boolean }

const tokensAtOnce = 1_000

const keyOf = ({ contract, tokenId, holder }: TokenOfHolder): string => `${contract}:${tokenId}:${holder}`

/** Reads the last move of each token to or from each holder. A transfer from the zero address is a mint. */
const readMoves = (chain: ChainPort, transfers: readonly SeenTransfer[]): Move[] => {
  const moves = new Map<string, Move>()
  for (const { tokenId, from, to, ...rest } of transfers) {
    const contract = canonicalAddress(chain, rest.contract)
    for (const [text, isArrival] of [[from, false] as const, [to, true] as const]) {
      const holder = text === undefined ? undefined : chain.parseAddress(text)
      const move = holder !== undefined && { contract, tokenId, holder, isArrival }
      if (!move) continue
      // In the order of the last arrival, which is the order of lists.
      moves.delete(keyOf(move))
      moves.set(keyOf(move), move)
    }
  }
  return [...moves.values()]
}

const ofTokens = (chain: ChainPort, tokens: readonly TokenOfHolder[]) =>
  and(
    eq(tokenHoldings.chain, chain.chain),
    inArray(tokenHoldings.contract, [...new Set(tokens.map(({ contract }) => contract))]),
    inArray(tokenHoldings.tokenId, [...new Set(tokens.map(({ tokenId }) => tokenId))]),
  )

/** Adds tokens at the end of their holders' lists. A token that left a short while ago gets its place back. */
const addArrivals = async (
  deps: Pick<Deps, 'now'>,
  tx: Transaction,
  chain: ChainPort,
  arrivals: readonly TokenOfHolder[],
): Promise<void> => {
  const isPast = lte(tokenHoldings.leftAt, slotsKeptSince(deps.now()))
  const isForgotten = or(isPast, and(isNull(tokenHoldings.heldAt), isNotNull(tokenHoldings.leftAt)))
  await tx.delete(tokenHoldings).where(and(ofTokens(chain, arrivals), isForgotten))
  const rows = arrivals.map(({ contract, tokenId, holder }) => {
    return { chain: chain.chain, contract, tokenId, holder }
  })
  await tx
    .insert(tokenHoldings)
    .values(rows)
    .onConflictDoUpdate({
      target: [tokenHoldings.chain, tokenHoldings.contract, tokenHoldings.tokenId, tokenHoldings.holder],
      set: { leftAt: null },
      setWhere: isNotNull(tokenHoldings.leftAt),
    })
}

/** Records which of the tokens that seem to have left really have. Of a semi-fungible token, some may remain. */
const recordDepartures = async (
  deps: Pick<Deps, 'db' | 'now'>,
  chain: ChainPort,
  { rows, isPast }: { rows: readonly Row[]; isPast: boolean },
): Promise<void> => {
  if (!rows.length) return
  const held = await chain.wallets.readTokens(rows)
  const left = rows.filter((_, index) => held[index] === undefined).map(({ id }) => id)
  if (!left.length) return
  const areLeft = inArray(tokenHoldings.id, left)
  const leftAt = new Date(deps.now())
  if (isPast) await deps.db.delete(tokenHoldings).where(areLeft)
  else {
    // It had a place, whether it was verified or not.
    const heldAt = sql`coalesce(${tokenHoldings.heldAt}, ${leftAt.toISOString()}::timestamptz)`
    await deps.db.update(tokenHoldings).set({ leftAt, heldAt }).where(areLeft)
  }
}

/** Transfers that were read. */
type ReadTransfers = {
  transfers: readonly SeenTransfer[]
  /**
   * Whether more blocks are read before a list is shown. A holder who loses a token in them never had it in a list.
   */
  isPast: boolean
}

/**
 * Records who may hold tokens now, from their transfers in the chain's order. Doing it again, or in two processes at
 * once, changes nothing.
 */
export const recordTransfers = async (
  deps: Pick<Deps, 'db' | 'now'>,
  chain: ChainPort,
  { transfers, isPast }: ReadTransfers,
): Promise<void> => {
  for (const moves of chunk(readMoves(chain, transfers), tokensAtOnce)) {
    const rows = new Map<string, Row>()
    for (const row of await deps.db.select().from(tokenHoldings).where(ofTokens(chain, moves))) {
      rows.set(keyOf(row), row)
    }
    const arrivals = moves.filter((move) => {
      const row = rows.get(keyOf(move))
      return move.isArrival && row?.leftAt !== null && !(row && wasDenied(row, deps.now()))
    })
    if (arrivals.length) await deps.db.transaction((tx) => addArrivals(deps, tx, chain, arrivals))
    const departures = moves.flatMap((move) => {
      const row = move.isArrival ? undefined : rows.get(keyOf(move))
      return row && row.leftAt === null ? [row] : []
    })
    await recordDepartures(deps, chain, { rows: departures, isPast })
  }
}
