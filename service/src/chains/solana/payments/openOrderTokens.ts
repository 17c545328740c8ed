import {
  AccountRole,
  fetchEncodedAccounts,
  type Instruction,
  type KeyPairSigner,
  type Rpc,
  type SolanaRpcApi,
} from '@solana/kit'
import { getCreateAccountWithSeedInstruction } from '@solana-program/system'
import { decodeToken, getInitializeAccount3Instruction } from '@solana-program/token-2022'
import { and, eq, gt, like, lt } from 'drizzle-orm'
import type { Database } from '../../../db/database.js'
import { solanaTransactions } from '../../../db/tables/solanaTransactions.js'
import type { Connection } from '../connection/connect.js'
import type { PaymentPlace } from './paymentTerms.js'
import { closeTokens, tokenSize } from './payOuts.js'

/** Creates the instructions that open the token account of an order. Its rent comes back once it is closed. */
export const createOpening = async (
  rpc: Rpc<SolanaRpcApi>,
  operator: KeyPairSigner,
  { account: { address, seed, programAddress }, mint, references }: PaymentPlace,
): Promise<Instruction[]> => {
  if (!mint) return []
  const opening = getInitializeAccount3Instruction(
    { account: address, mint, owner: operator.address },
    { programAddress },
  )
  const reference = { address: references[0], role: AccountRole.READONLY }
  return [
    getCreateAccountWithSeedInstruction({
      ...{ payer: operator, newAccount: address, baseAccount: operator, base: operator.address, seed },
      ...{
        amount: await rpc.getMinimumBalanceForRentExemption(tokenSize).send(),
        space: tokenSize,
        programAddress,
      },
    }),
    { ...opening, accounts: [...opening.accounts, reference] },
  ]
}

type Written = { db: Database; chain: string }

/** The key of an account's next opening, after as many closings. */
export const findOpeningKey = async (db: Database, chain: string, name: string): Promise<string> => {
  const isClosing = like(solanaTransactions.key, `${chain}:close:${name}:%`)
  const closings = await db
    .select({ key: solanaTransactions.key })
    .from(solanaTransactions)
    .where(and(isClosing, eq(solanaTransactions.status, 'succeeded')))
  return `open:${name}:${closings.length}`
}

/** How often idle accounts are closed. */
export const closeEveryMs = 60 * 60_000
/** An account that is empty after this time is closed. Its message expired long ago. */
const idleMs = 24 * 60 * 60_000
/** Until when it is tried. */
const forgottenMs = 7 * idleMs
const accountsAtOnce = 100

/** Closes the token accounts of orders that were not paid, so that their rent comes back. */
export const closeIdle = async (
  { rpc, operator, outbox }: Connection,
  { db, chain }: Written,
  placeOf: (order: { orderId: string; mint: string }) => PaymentPlace | undefined,
): Promise<void> => {
  const rows = await db
    .select({ key: solanaTransactions.key })
    .from(solanaTransactions)
    .where(
      and(
        like(solanaTransactions.key, `${chain}:open:%`),
        eq(solanaTransactions.status, 'succeeded'),
        lt(solanaTransactions.createdAt, new Date(Date.now() - idleMs)),
        gt(solanaTransactions.createdAt, new Date(Date.now() - forgottenMs)),
      ),
    )
  const opened = rows.flatMap(({ key }) => {
    const [, , orderId = '', mint = '', count = ''] = key.split(':')
    const place = placeOf({ orderId, mint })
    return place ? [{ key: `close:${orderId}:${mint}:${count}`, place }] : []
  })
  for (let at = 0; at < opened.length; at += accountsAtOnce) {
    const some = opened.slice(at, at + accountsAtOnce)
    const addresses = some.map(({ place }) => place.account.address)
    const accounts = await fetchEncodedAccounts(rpc, addresses, { commitment: 'finalized' })
    for (const [index, { key, place }] of some.entries()) {
      const account = accounts[index]
      if (!account?.exists || decodeToken(account).data.amount > 0n) continue
      const makeInstructions = async () => closeTokens(operator, place)
      // If a payment comes at this moment, it fails, and the account stays.
      await outbox.send(key, { makeInstructions, trace: undefined, isGuarded: false })
    }
  }
}
