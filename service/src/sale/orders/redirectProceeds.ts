import { explainChainAddress, parseChainAddress } from 'kassa/engine'
import type { Config } from '#base/config/config.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { isUuid } from '#base/lib/uuid.js'
import { assertUnsanctioned } from '#identity/wallets/sanctions.js'
import type { EmitDeps } from './emitOrderEvents.js'
import { lockOrder } from './store.js'
import { applyEvents } from './updateOrder.js'

/** Which credited proceeds to send, and where. */
type RedirectInput = {
  /** The key of their sweep, as the ledger lists it. */
  key: string
  to: string
}

/**
 * Sends proceeds that their recipient could not receive to another address. They cannot be paid twice: the
 * contract pays out a credit once. While they are on their way, asking again for the same address changes nothing.
 *
 * @throws {@link ServiceError} `input-invalid`, `not-found`; `unprocessable` for a sanctioned address; `conflict` if
 * nothing is credited under the key or it is on its way to another address.
 */
export const redirectProceeds = async (
  deps: EmitDeps & Pick<Deps, 'db'> & { config: Pick<Config, 'sanctionedAddresses'> },
  { key, to }: RedirectInput,
): Promise<void> => {
  assertUnsanctioned(deps.config, to)
  const [kind, orderId = ''] = key.split(':')
  if (kind !== 'sweep' || !isUuid(orderId)) {
    throw new ServiceError('input-invalid', `id: ${key} is not an id of proceeds, as the ledger lists them`)
  }
  await deps.db.transaction(async (tx) => {
    const stored = await lockOrder(tx, orderId)
    if (!stored) throw new ServiceError('not-found', `there is no order ${orderId}`)
    const { chain } = stored.order.payment
    const sentTo = parseChainAddress(chain, to)
    if (sentTo === undefined) throw new ServiceError('input-invalid', `to: ${explainChainAddress(to, chain)}`)
    const credit = stored.order.sweepCredits?.[key]
    if (!credit) throw new ServiceError('conflict', `${key} has no credit that waits`)
    if (credit.sentTo === sentTo) return
    if (credit.sentTo !== undefined) {
      throw new ServiceError('conflict', `the proceeds ${key} are on their way to ${credit.sentTo}`)
    }
    const changed = await applyEvents(deps, tx, stored, [
      { type: 'sweep-credit-redirected', key, to: sentTo },
    ])
    if (changed === stored.order) {
      throw new ServiceError('conflict', `the payment of ${key} was taken back by its chain`)
    }
  })
}
