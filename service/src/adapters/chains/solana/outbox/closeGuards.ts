import { createHash } from 'node:crypto'
import {
  type Address,
  fetchEncodedAccounts,
  type Instruction,
  type KeyPairSigner,
  type Rpc,
  type SolanaRpcApi,
} from '@solana/kit'
import { and, asc, eq, inArray, isNotNull, isNull, lt, lte, notInArray, sql } from 'drizzle-orm'
import type { Database } from '#base/db/database.js'
import { solanaTransactions } from '#base/db/tables/solanaTransactions.js'
import type { Log } from '#base/deps.js'
import { closeGuard, guardOf, isGuard } from './guard.js'
import type { Outbox } from './outbox.js'

/** How often guards are closed. */
export const closeGuardsEveryMs = 5 * 60_000
/**
 * How long a guard stays after its write was last signed. A blockhash is valid for about a minute. The time does not
 * depend on the node, which may be wrong about its heights.
 */
const guardedForMs = 15 * 60_000
/** A transaction of 1,232 bytes has room for this many. */
const guardsAtOnce = 12
/** At most this many transactions close guards before other work goes on. */
const maxRounds = 50

type Parts = { rpc: Rpc<SolanaRpcApi>; operator: KeyPairSigner; outbox: Outbox }
/** The newest final block. */
type Final = { slot: bigint; height: bigint }
type Row = Pick<typeof solanaTransactions.$inferSelect, 'key' | 'guard'>

/**
 * Lists guards that no transaction needs any more: their write is final, the blocks that could include any of its
 * bytes are final too, no other attempt at it waits for its end, and some time has passed.
 */
const listClosable = (
  db: Database,
  chain: string,
  { slot, height, skipped }: Final & { skipped: readonly string[] },
): Promise<Row[]> => {
  const { key, guard, status, guardClosedAt, guardSignedAt, lastValidBlockHeight } = solanaTransactions
  const isOpenElsewhere = sql`exists (select 1 from ${solanaTransactions} other where other.status = 'signed'
    and split_part(other.key, '#', 1) = split_part(${key}, '#', 1))`
  return db
    .select({ key, guard })
    .from(solanaTransactions)
    .where(
      and(
        eq(solanaTransactions.chain, chain),
        eq(status, 'succeeded'),
        isNotNull(guard),
        isNull(guardClosedAt),
        lte(solanaTransactions.slot, slot),
        lt(lastValidBlockHeight, height),
        lt(guardSignedAt, sql`now() - make_interval(secs => ${guardedForMs / 1_000})`),
        sql`not ${isOpenElsewhere}`,
        notInArray(key, [...skipped]),
      ),
    )
    .orderBy(asc(guardSignedAt))
    .limit(guardsAtOnce)
}

const markClosed = async (db: Database, rows: readonly Row[]): Promise<void> => {
  const keys = rows.map(({ key }) => key)
  await db
    .update(solanaTransactions)
    .set({ guardClosedAt: sql`now()` })
    .where(inArray(solanaTransactions.key, keys))
}

/**
 * Closes guards in one transaction. Returns `false` if it fails, because another process closes them too, or a
 * stranger has just sent one of them lamports: a nonce account is closed only by a withdrawal of all that it has.
 */
const close = async (
  { rpc, operator, outbox }: Parts,
  rows: readonly Row[],
  { slot: minContextSlot }: Final,
): Promise<boolean> => {
  const addresses = rows.map(({ guard }) => guard as Address)
  const terms = { commitment: 'confirmed', minContextSlot } as const
  const accounts = await fetchEncodedAccounts(rpc, addresses, terms)
  const makeInstructions = async (): Promise<Instruction[]> =>
    accounts.flatMap((account) =>
      account.exists && isGuard(account) ? [closeGuard(operator, account.address, account.lamports)] : [],
    )
  if (!accounts.some(isGuard)) return true
  const name = createHash('sha256').update(addresses.join()).digest('base64url')
  // Processes that see the same block and the same guards send the same transaction.
  const write = { makeInstructions, trace: undefined, isGuarded: false, commitment: 'confirmed' } as const
  const { status } = await outbox.send(`guards:${minContextSlot}:${name}`, write)
  return status === 'succeeded'
}

/**
 * Closes the guards of finished writes, so that their rent comes back. A process that is killed in between finds the
 * same guards again, or that they are gone.
 */
export const closeGuards = async (
  parts: Parts,
  { db, chain, log }: { db: Database; chain: string; log: Log },
): Promise<void> => {
  const { absoluteSlot, blockHeight } = await parts.rpc.getEpochInfo({ commitment: 'finalized' }).send()
  const final = { slot: absoluteSlot, height: blockHeight }
  const skipped: string[] = []
  for (let round = 0; round < maxRounds; round++) {
    const rows = await listClosable(db, chain, { ...final, skipped })
    if (!rows.length) return
    const own = rows.filter(({ key, guard }) => guardOf(parts.operator.address, key).address === guard)
    const others = rows.filter((row) => !own.includes(row))
    if (others.length) {
      log.warn({ chain, count: others.length }, 'guards of an earlier operator key stay open')
      await markClosed(db, others)
    }
    if (own.length && (await close(parts, own, final))) {
      await markClosed(db, own)
      continue
    }
    for (const row of own) {
      if (own.length > 1 && (await close(parts, [row], final))) await markClosed(db, [row])
      else skipped.push(row.key)
    }
  }
}
