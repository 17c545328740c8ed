import { ServiceError } from '../../../errors.js'
import type { OutboxCall } from '../outbox.js'
import { refuse } from '../toResult.js'
import type { FundsOptions } from './accountFunds.js'
import { readOpenGifts } from './openGifts.js'
import { recordGift } from './sponsoredGas.js'

const later = (message: string): ServiceError =>
  new ServiceError('chain-unavailable', message, { retryAfterSeconds: 5 })

/**
 * Sends gas money once, and waits for its block only: were that reorganised, the operator's outbox would send it
 * again. Nothing on chain keeps coins from coming twice, so it is never signed with another nonce.
 *
 * @returns False when it can never come: it takes another key to give it.
 */
export const giveGas = async (options: FundsOptions, key: string, lackingWei: bigint): Promise<boolean> => {
  const { client, chain, address: to, sponsor } = options
  const makeCall = async (): Promise<OutboxCall> => {
    const isRich = (await client.getBalance({ address: sponsor.operator })) > lackingWei
    if (!isRich) throw later(`The operator has too little on ${chain} to pay for gas.`)
    return { to, data: '0x', value: await recordGift(options, key, lackingWei) }
  }
  return new Promise<boolean>((resolve, reject) => {
    const terms = { isGuarded: false, onLanded: () => resolve(true) }
    sponsor.outbox.send(key, makeCall, terms).then((result) => {
      if (result.status === 'succeeded') resolve(true)
      // What was never signed may be signed under the same key yet.
      else if (result.txId) resolve(false)
      else reject(later(`The operator's gas money was refused: ${result.reason}`))
    }, reject)
  })
}

/**
 * Sees gas money to its end of which the chain does not show whether it came: the process that waited for it may be
 * gone, and until its end is written down nobody knows what is the account's own.
 */
export const settleGifts = async (options: FundsOptions): Promise<void> => {
  const { chain, sponsor } = options
  for (const { key, state } of await readOpenGifts(options)) {
    if (state !== 'unclear') continue
    const signNothing = async () => refuse('it was never signed', undefined)
    await sponsor.outbox.send(key.slice(chain.length + 1), signNothing, { isGuarded: false })
  }
}
