import type { Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { Shop } from '../helpers/createShop.js'
import { cancelTransaction, replaceTransaction } from '../helpers/replaceTransaction.js'
import type { Request } from './askedWallet.js'
import type { Clock } from './clock.js'
import type { Random } from './random.js'

type Surroundings = {
  shop: Shop
  account: PrivateKeyAccount
  clock: Clock
  note(text: string): void
}

/** What a buyer does in the wallet with a payment that takes its time: nothing, mostly; or speeds it up, or cancels it. */
export const createSecondThoughts =
  ({ shop, account, clock, note }: Surroundings) =>
  async (request: Request, random: Random): Promise<void> => {
    const thought = random.choose({ none: 70, 'speeds up': 18, cancels: 12 })
    const txId = request.txId as Hex | undefined
    if (thought === 'none' || !txId) return
    await clock.sleep(random.between(5, 200))
    try {
      const change = thought === 'cancels' ? cancelTransaction : replaceTransaction
      const replacement = await clock.during(() => change(shop, account, txId))
      request.replacedBy = replacement
      note(`the buyer ${thought === 'cancels' ? 'cancels' : 'speeds up'} ${txId}: ${replacement}`)
      if (thought !== 'cancels') return
      const { transactionHash } = await shop.world.client.waitForTransactionReceipt({ hash: replacement })
      // From here on it is known never to be paid.
      request.state = 'gone'
      request.isRefused = true
      note(`${transactionHash} has taken its place`)
    } catch {
      // It is in a block already, or the wallet's node has not heard of it yet: the button does nothing.
    }
  }
