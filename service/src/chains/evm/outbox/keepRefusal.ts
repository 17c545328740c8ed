import { eq } from 'drizzle-orm'
import type { Database } from '../../../db/database.js'
import { chainRefusals, chainTransactions } from '../../../db/tables/chainTransactions.js'
import { findRefusal, type KeptRefusal } from './refusals.js'
import { lockSender, type Sender, type SignedTransaction } from './signed.js'

/** Records a refusal under a key. If the key already has an outcome, that outcome counts. */
export const keepRefusal = (
  db: Database,
  { key, chain, sender }: Sender & { key: string },
  refusal: Pick<KeptRefusal, 'reason' | 'calldata'>,
): Promise<SignedTransaction | KeptRefusal> =>
  db.transaction(async (tx) => {
    await lockSender(tx, { chain, sender }, 0)
    const [signed] = await tx.select().from(chainTransactions).where(eq(chainTransactions.key, key))
    const known = signed ?? (await findRefusal(tx, key))
    if (known) return known
    const [kept] = await tx
      .insert(chainRefusals)
      .values({ key, chain, ...refusal })
      .returning()
    if (!kept) throw new Error('the database returned no row')
    return kept
  })
