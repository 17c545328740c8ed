import type { OrderState } from 'kassa/engine'
import type { CreateAuthorizationBody } from 'kassa/schema'
import type { AuthorizationRow } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { bringAuthorization } from '../authorizations/bringAuthorization.js'
import type { SettledPayment } from './protocol.js'

/** How long an answer waits for the payment to be in a block. */
const patienceMs = 25_000

/** Why a payment is refused that the chain gave no reason for. */
const unknownReason = 'unexpected_settle_error'

/** Returns the end of a payment that is refused, or throws what is no answer to the payment itself. */
export const toRefused = (error: unknown, { network, payer }: { network: string; payer: string }) => {
  const reason = error instanceof ServiceError ? error.detail?.reason : undefined
  if (!(error instanceof ServiceError) || error.code !== 'unprocessable' || reason === undefined) throw error
  return {
    success: false,
    errorReason: reason,
    errorMessage: error.message,
    transaction: '',
    network,
    payer,
  } as const satisfies SettledPayment
}

const explain = ({ reason, failure }: AuthorizationRow): { errorReason: string; errorMessage: string } => ({
  errorReason: reason ?? unknownReason,
  errorMessage: failure ?? 'the payment was refused',
})

/**
 * Has a signed transfer pay for an order, and waits until it is in a block. The same one again has the same end, and moves
 * no more money.
 *
 * @throws {@link ServiceError} `timeout` if no block has it in time; `conflict` while another payment may move money;
 * `rate-limited` over a cap of the operator's gas; `chain-unavailable`.
 */
export const settlePayment = async (
  deps: Deps,
  order: OrderState,
  { body, network }: { body: CreateAuthorizationBody; network: string },
): Promise<SettledPayment> => {
  const place = { network, payer: body.payerAddress }
  try {
    const { row, hasLanded } = await bringAuthorization(deps, order, { body, patienceMs, isChosen: true })
    if (row.status === 'refused' || row.status === 'failed' || row.status === 'expired') {
      return { success: false, transaction: '', ...explain(row), ...place }
    }
    if (hasLanded && row.txId !== null) {
      return { success: true, transaction: row.txId, amount: row.units, ...place }
    }
  } catch (error) {
    return toRefused(error, place)
  }
  const message =
    'The payment is on its way and not in a block yet: send the same payment again for its result'
  throw new ServiceError('timeout', message, { retryAfterSeconds: 5 })
}
