import type { CheckedPayment } from '../chain/index.js'
import { fromBaseUnits } from '../schema/baseUnits.js'
import { emitEvent } from './event.js'
import type { PayContext } from './payContext.js'
import type { Simulation } from './simulatePayment.js'

const nativeDecimals = 18

/** Emits the event that a payment passed every check, right before the wallet is asked. */
export const reportChecked = (
  { onEvent, orderId, now }: Pick<PayContext, 'onEvent' | 'orderId' | 'now'>,
  { chain, chainId, to, recipient, currency, units, token }: CheckedPayment,
  { gas, blockNumber }: Simulation,
): void =>
  emitEvent(onEvent, {
    type: 'payment.checked',
    orderId,
    chain,
    chainId,
    to,
    recipient,
    amount: { amount: fromBaseUnits(units, token?.decimals ?? nativeDecimals), currency },
    token: token?.address,
    gas: gas?.toString(),
    simulatedAtBlock: String(blockNumber),
    atMs: now(),
  })
