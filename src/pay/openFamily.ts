import { createAuthorization } from '../api/authorizations.js'
import type { PaymentAttempt } from '../chain/index.js'
import { loadError } from '../errors/loadError.js'
import { payError } from '../errors/payError.js'
import { ofFamily, type PerFamily } from '../schema/chains.js'
import { openEvm } from './evm/openEvm.js'
import type { PaymentFamily } from './family.js'
import type { FamilyAccess } from './payContext.js'

type Opener = (parameters: FamilyAccess, isSigned: boolean) => PaymentFamily | Promise<PaymentFamily>

/** Opens the payments that the payer signs and the shop sends. Few orders need what does that. */
const openAuthorizations: Opener = async ({ client, clientSecret, ...chains }) => {
  const loading = import('./evm/authorizations/openAuthorizations.js')
  const loaded = await loading.catch((cause: unknown) => {
    throw loadError('api.not-loaded', {}, { cause })
  })
  // What calls the service is passed on: esbuild would tear what every page loads at once into files that both need.
  return loaded.openAuthorizations({
    ...chains,
    post: client && ((orderId, body) => createAuthorization(client, { orderId, clientSecret, body })),
  })
}

const openers: PerFamily<Opener> = {
  evm: (parameters, isSigned) => (isSigned ? openAuthorizations(parameters, isSigned) : openEvm(parameters)),
  solana: ({ solana }) => {
    if (!solana) throw payError('pay.chain-not-configured', { chain: 'solana' })
    return solana.openFamily()
  },
}

/**
 * Opens the family of chains on which an order is paid, or an attempt was made. Solana's code loads only when it is
 * needed, and so does that of payments that the shop sends.
 *
 * @param of - An attempt, or the chain of an order.
 * @param isSigned - Whether the payer signs the payment and the shop sends it.
 * @throws {@link KassaError} `pay.chain-not-configured` for Solana in an app without it; `api.not-loaded`.
 */
export const openFamily = async (
  parameters: FamilyAccess,
  of: PaymentAttempt | string | undefined,
  isSigned: boolean = typeof of === 'object' && of.authorization !== undefined,
): Promise<PaymentFamily> => ofFamily(openers, typeof of === 'object' ? of.family : of)(parameters, isSigned)
