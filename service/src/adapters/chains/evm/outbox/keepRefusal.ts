import type { Database } from '#base/db/database.js'
import { chainRefusals } from '#base/db/tables/chainTransactions.js'
import { findWrite } from './findWrites.js'
import type { KeptRefusal } from './refusals.js'
import { lockSender, type Sender, type SignedTransaction } from './signed.js'

/** Records a refusal under a key. If the key already has an outcome, that outcome counts. */
export const keepRefusal = (
  db: Database,
  { key, chain, sender }: Sender & { key: string },
  refusal: Pick<KeptRefusal, 'reason' | 'calldata'>,
): Promise<SignedTransaction | KeptRefusal> =>
  db.transaction(async (tx) => {
    await lockSender(tx, { chain, sender }, 0)
    const { outcome } = await findWrite(tx, key)
    if (outcome) return outcome
    const [kept] = await tx
      .insert(chainRefusals)
      .values({ key, chain, ...refusal })
      .returning()
    if (!kept) throw new Error('the database returned no row')
    return kept
  })
