import type { PaymentAttempt } from '../chain/index.js'
import { payError } from '../errors/payError.js'
import { openEvm } from './evm/openEvm.js'
import type { PaymentFamily } from './family.js'
import type { ChainAccess } from './payContext.js'

/** Whether an attempt or a payment method is one of Solana. */
const isSolana = (of: PaymentAttempt | string | undefined): boolean =>
  typeof of === 'object' ? of.family === 'solana' : of === 'solana'

/**
 * Opens the family of chains on which an order is paid, or an attempt was made. Solana's code loads only when it is
 * needed.
 *
 * @throws {@link KassaError} `pay.chain-not-configured` for Solana in an app without it.
 */
export const openFamily = async (
  parameters: ChainAccess,
  of: PaymentAttempt | string | undefined,
): Promise<PaymentFamily> => {
  if (!isSolana(of)) return openEvm(parameters)
  if (!parameters.solana) throw payError('pay.chain-not-configured', { chain: 'solana' })
  return parameters.solana.openFamily()
}
