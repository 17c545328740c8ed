import { and, eq, gt } from 'drizzle-orm'
import type { Address, PublicClient } from 'viem'
import { getAddress, isAddressEqual } from 'viem'
import type { Database } from '../../../db/database.js'
import { chainTransactions, sponsoredGas } from '../../../db/tables/index.js'
import { findReceipt } from '../outbox/awaitReceipt.js'
import type { SignedTransaction } from '../outbox/signed.js'

/** An account on a chain. */
export type AccountOnChain = { db: Database; client: PublicClient; chain: string; address: Address }

/**
 * The state of a signed gas top-up on the chain. `unclear` means that its nonce is used and the chain does
 * not show by which transaction.
 */
type GiftState = 'coming' | 'came' | 'failed' | 'unclear'

const readState = async (
  { client, address }: AccountOnChain,
  gift: SignedTransaction,
): Promise<GiftState> => {
  const nonce = await client.getTransactionCount({ address: getAddress(gift.sender) })
  if (gift.nonce >= nonce) return 'coming'
  const receipt = await findReceipt(client, gift)
  if (!receipt) return 'unclear'
  // An abandoned transaction's nonce is used up by a transaction of the operator to itself.
  const isIt = receipt.to !== null && isAddressEqual(receipt.to, address)
  return isIt && receipt.status === 'success' ? 'came' : 'failed'
}

/** Reads the state of each gas top-up of an account whose end is not recorded. */
export const readOpenGifts = async (
  account: AccountOnChain,
): Promise<{ key: string; state: GiftState }[]> => {
  const { db, chain, address } = account
  const open = await db
    .select({ gift: chainTransactions })
    .from(sponsoredGas)
    .innerJoin(chainTransactions, eq(chainTransactions.key, sponsoredGas.key))
    .where(
      and(
        eq(sponsoredGas.chain, chain),
        eq(sponsoredGas.account, address),
        gt(sponsoredGas.givenWei, 0n),
        eq(chainTransactions.status, 'signed'),
      ),
    )
  return Promise.all(open.map(async ({ gift }) => ({ key: gift.key, state: await readState(account, gift) })))
}
