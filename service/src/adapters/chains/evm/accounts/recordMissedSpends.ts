import { and, eq, isNull, ne } from 'drizzle-orm'
import { chainTransactions, sponsoredGas } from '#base/db/tables/index.js'
import type { AccountOnChain } from './openGasTopUps.js'
import { recordSpends } from './sponsoredGas.js'

/**
 * Records the spending of an account's calls that ended after being reopened, because no process waits for
 * them any more.
 */
export const recordMissedSpends = async (account: AccountOnChain): Promise<void> => {
  const { db, chain, address } = account
  const missed = await db
    .select({ key: chainTransactions.key })
    .from(chainTransactions)
    .leftJoin(sponsoredGas, eq(chainTransactions.key, sponsoredGas.key))
    .where(
      and(
        eq(chainTransactions.chain, chain),
        eq(chainTransactions.sender, address),
        ne(chainTransactions.status, 'signed'),
        isNull(sponsoredGas.key),
      ),
    )
  await recordSpends(
    account,
    missed.map(({ key }) => ({ key: key.slice(chain.length + 1) })),
  )
}
