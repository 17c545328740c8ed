import { eq } from 'drizzle-orm'
import { parseChainAddress } from 'kassa/engine'
import type { Config } from '../config/config.js'
import { refunds } from '../db/tables/index.js'
import type { Deps } from '../deps.js'
import { ServiceError } from '../errors.js'
import { assertUnsanctioned } from '../wallets/sanctions.js'
import type { EmitDeps } from './emitOrderEvents.js'
import type { RefundRow } from './releaseRefund.js'
import { lockOrder } from './store.js'
import { applyEvents } from './updateOrder.js'

type ResendInput = {
  refundId: string
  /** Another address than the payer's, for a refund that the payer's account cannot receive. */
  to?: string | undefined
}

const conflict = (message: string): ServiceError => new ServiceError('conflict', message)

/**
 * Returns the changes of the operator's request to a refund, or `undefined` if it is already pending to that
 * address.
 */
const toChange = (row: RefundRow, sentTo: string | undefined): Partial<RefundRow> | undefined => {
  const { id, status, attempt } = row
  switch (status) {
    case 'held':
      if (sentTo === undefined) return {}
      throw conflict(`the refund ${id} is held, and its payer can receive it: leave out --to`)
    case 'failed':
      return { attempt: attempt + 1, ...(sentTo !== undefined && { sentTo }) }
    case 'credited':
      if (sentTo === undefined) {
        throw conflict(`the refund ${id} waits for its payer to claim it: name another address with --to`)
      }
      if (row.sentTo !== null && row.sentTo !== sentTo) {
        throw conflict(`the refund ${id} is on its way to ${row.sentTo}`)
      }
      return row.sentTo === null ? { attempt: attempt + 1, sentTo } : undefined
    default:
      throw conflict(`the refund ${id} is ${status}: only one that is held, failed or credited is sent again`)
  }
}

/**
 * Resends a refund that is held, that the chain refused or that its payer could not receive. It cannot be
 * paid twice: the contracts pay once per refund, across all attempts. Only if the payer's account rejected
 * the money may it go to another address.
 *
 * @throws {@link ServiceError} `not-found`, `input-invalid`; `conflict` if the refund is sent or pending.
 */
export const resendRefund = async (
  deps: EmitDeps & Pick<Deps, 'db'> & { config: Pick<Config, 'sanctionedAddresses'> },
  { refundId, to }: ResendInput,
): Promise<void> => {
  if (to !== undefined) assertUnsanctioned(deps.config, to)
  return deps.db.transaction(async (tx) => {
    const [found] = await tx.select().from(refunds).where(eq(refunds.id, refundId))
    const stored = found && (await lockOrder(tx, found.orderId))
    if (!stored) throw new ServiceError('not-found', `there is no refund ${refundId}`)
    const [row = found] = await tx.select().from(refunds).where(eq(refunds.id, refundId))
    const { chain } = stored.order.payments.find(({ id }) => id === row.paymentId) ?? stored.order.payment
    const sentTo = to === undefined ? undefined : parseChainAddress(chain, to)
    if (to !== undefined && sentTo === undefined) {
      throw new ServiceError('input-invalid', `to: ${to} is not an address on ${chain}`)
    }
    const change = toChange(row, sentTo)
    if (!change) return
    const released = { status: 'pending' as const, releasedBy: 'operator' as const }
    const releasedAt = new Date(deps.now())
    const isCredited = row.status === 'credited'
    await tx
      .update(refunds)
      .set(isCredited ? change : { ...change, ...released, releasedAt })
      .where(eq(refunds.id, refundId))
    if (!isCredited) await applyEvents(deps, tx, stored, [{ type: 'refund-retried', refundId }])
    await deps.jobs.enqueue(tx, 'orders.refund', { orderId: row.orderId, refundId }, { priority: 1 })
  })
}
