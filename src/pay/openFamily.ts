import type { PaymentAttempt } from '../chain/index.js'
import { payError } from '../errors/payError.js'
import { ofFamily, type PerFamily } from '../schema/chains.js'
import { openEvm } from './evm/openEvm.js'
import type { PaymentFamily } from './family.js'
import type { ChainAccess } from './payContext.js'

const openers: PerFamily<(parameters: ChainAccess) => PaymentFamily | Promise<PaymentFamily>> = {
  evm: openEvm,
  solana: ({ solana }) => {
    if (!solana) throw payError('pay.chain-not-configured', { chain: 'solana' })
    return solana.openFamily()
  },
}

/**
 * Opens the family of chains on which an order is paid, or an attempt was made. Solana's code loads only when it is
 * needed.
 *
 * @throws {@link KassaError} `pay.chain-not-configured` for Solana in an app without it.
 */
export const openFamily = async (
  parameters: ChainAccess,
  of: PaymentAttempt | string | undefined,
): Promise<PaymentFamily> => ofFamily(openers, typeof of === 'object' ? of.family : of)(parameters)
