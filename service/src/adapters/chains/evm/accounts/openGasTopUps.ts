import { and, eq, gt } from 'drizzle-orm'
import type { Address, PublicClient } from 'viem'
import { getAddress, isAddressEqual } from 'viem'
import type { Database, Transaction } from '#base/db/database.js'
import { chainTransactions, sponsoredGas } from '#base/db/tables/index.js'
import { shareInFlightBy } from '../connection/shareInFlight.js'
import { findReceipt } from '../outbox/findReceipts.js'
import type { SignedTransaction } from '../outbox/signed.js'

/** An account on a chain. */
export type AccountOnChain = { db: Database; client: PublicClient; chain: string; address: Address }

/**
 * The state of a signed gas top-up on the chain. `unclear` means that its nonce is used and the chain does
 * not show by which transaction.
 */
type GiftState = 'coming' | 'came' | 'failed' | 'unclear'

/** A signed gas top-up whose end is not recorded. @units `givenWei` in wei */
type OpenGift = { gift: SignedTransaction; givenWei: bigint }

const readCount = shareInFlightBy((client, address: Address) => client.getTransactionCount({ address }))

const readState = async (
  { client, address }: AccountOnChain,
  gift: SignedTransaction,
): Promise<GiftState> => {
  if (gift.nonce >= (await readCount(client, getAddress(gift.sender)))) return 'coming'
  const receipt = await findReceipt(client, gift)
  if (!receipt) return 'unclear'
  // An abandoned transaction's nonce is used up by a transaction of the operator to itself.
  const isIt = receipt.to !== null && isAddressEqual(receipt.to, address)
  return isIt && receipt.status === 'success' ? 'came' : 'failed'
}

/** Finds the gas top-ups of an account whose end is not recorded. */
export const findOpenGifts = (
  db: Database | Transaction,
  { chain, address }: Pick<AccountOnChain, 'chain' | 'address'>,
): Promise<OpenGift[]> =>
  db
    .select({ gift: chainTransactions, givenWei: sponsoredGas.givenWei })
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

/** Reads the states of gas top-ups on the chain. */
export const readStates = (
  account: AccountOnChain,
  gifts: readonly OpenGift[],
): Promise<{ key: string; givenWei: bigint; state: GiftState }[]> =>
  Promise.all(
    gifts.map(async ({ gift, givenWei }) => ({
      key: gift.key,
      givenWei,
      state: await readState(account, gift),
    })),
  )

/** Reads the state of each gas top-up of an account whose end is not recorded. */
export const readOpenGifts = async (account: AccountOnChain) =>
  readStates(account, await findOpenGifts(account.db, account))
