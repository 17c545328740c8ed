import { ServiceError } from '#base/errors.js'
import type { OutboxCall } from '../outbox/outboxCall.js'
import { refuse } from '../outbox/toResult.js'
import type { FundsOptions } from './accountFunds.js'
import { readOpenGifts } from './openGasTopUps.js'
import { recordGift } from './sponsoredGas.js'

const later = (message: string): ServiceError =>
  new ServiceError('chain-unavailable', message, { retryAfterSeconds: 5 })

/**
 * Sends a gas top-up once, and waits only for its first block: after a reorganisation, the operator's outbox
 * sends it again. It is never signed with another nonce, because no contract guards coins against being sent
 * twice.
 *
 * @returns `false` if it can never arrive, so that the caller must use another key.
 */
export const topUpGas = async (options: FundsOptions, key: string, lackingWei: bigint): Promise<boolean> => {
  const { client, chain, address: to, sponsor } = options
  const makeCall = async (): Promise<OutboxCall> => {
    const isRich = (await client.getBalance({ address: sponsor.operator })) > lackingWei
    if (!isRich) throw later(`The operator does not have enough funds on ${chain} to pay for gas.`)
    return { to, data: '0x', value: await recordGift(options, key, lackingWei) }
  }
  return new Promise<boolean>((resolve, reject) => {
    const terms = { isGuarded: false, onLanded: () => resolve(true) }
    sponsor.outbox.send(key, makeCall, terms).then((result) => {
      if (result.status === 'succeeded') resolve(true)
      // Without a signed transaction, a later call can still sign under the same key.
      else if (result.txId) resolve(false)
      else reject(later(`The operator could not send funds for gas: ${result.reason}`))
    }, reject)
  })
}

/**
 * Completes gas top-ups whose outcome is unclear. The process that waited for one may be gone, and until its
 * end is recorded, the account's own share of its coins is unknown.
 */
export const settleGifts = async (options: FundsOptions): Promise<void> => {
  const { chain, sponsor } = options
  for (const { key, state } of await readOpenGifts(options)) {
    if (state !== 'unclear') continue
    const signNothing = async () => refuse('it was never signed', undefined)
    await sponsor.outbox.send(key.slice(chain.length + 1), signNothing, { isGuarded: false })
  }
}
