import { eq } from 'drizzle-orm'
import { explainChainAddress, parseChainAddress } from 'kassa/engine'
import type { Config } from '#base/config/config.js'
import { type RefundRow, refunds } from '#base/db/tables/index.js'
import type { Deps } from '#base/deps.js'
import { ServiceError } from '#base/errors.js'
import { assertUnsanctioned } from '#identity/wallets/sanctions.js'
import type { EmitDeps } from './emitOrderEvents.js'
import { assertNoDeposit } from './readRefundAddress.js'
import { lockOrder } from './store.js'
import { applyEvents } from './updateOrder.js'

type ResendInput = {
  refundId: string
  /** Another address than the payer's, for a refund that the payer's account cannot receive or would lose. */
  to?: string | undefined
}

const conflict = (message: string): ServiceError => new ServiceError('conflict', message)

const released = { status: 'pending', heldAs: null, releasedBy: 'operator' } as const

/** Returns the changes to a held refund. Its job releases it, so that it goes where the order says. */
const toHeldChange = ({ id, heldAs }: RefundRow, sentTo: string | undefined): Partial<RefundRow> => {
  if (heldAs === 'contract-payer') {
    if (sentTo !== undefined) return { ...released, sentTo }
    throw conflict(`the refund ${id} is held because a contract paid: name an address with --to`)
  }
  if (sentTo === undefined) return released
  throw conflict(`the refund ${id} is held, and its payer can receive it: leave out --to`)
}

/**
 * Returns the changes of the operator's request to a refund, or `undefined` if it is already pending to that
 * address.
 */
const toChange = (
  row: RefundRow,
  { sentTo, now }: { sentTo: string | undefined; now: Date },
): Partial<RefundRow> | undefined => {
  const { id, status, attempt } = row
  switch (status) {
    case 'held':
      return toHeldChange(row, sentTo)
    case 'failed':
      return { ...released, attempt: attempt + 1, releasedAt: now, ...(sentTo !== undefined && { sentTo }) }
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
 * the money, or is a contract, may it go to another address.
 *
 * @throws {@link ServiceError} `not-found`, `input-invalid`; `conflict` if the refund is sent or pending.
 */
export const resendRefund = async (
  deps: EmitDeps & Pick<Deps, 'db'> & { config: Pick<Config, 'chains' | 'sanctionedAddresses'> },
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
      throw new ServiceError('input-invalid', `to: ${explainChainAddress(to, chain)}`)
    }
    if (sentTo !== undefined) await assertNoDeposit(tx, Object.keys(deps.config.chains), [sentTo])
    const change = toChange(row, { sentTo, now: new Date(deps.now()) })
    if (!change) return
    await tx.update(refunds).set(change).where(eq(refunds.id, refundId))
    const retried = { type: 'refund-retried' as const, refundId, ...(sentTo !== undefined && { to: sentTo }) }
    if (row.status !== 'credited') await applyEvents(deps, tx, stored, [retried])
    await deps.jobs.enqueue(tx, 'orders.refund', { orderId: row.orderId, refundId }, { priority: 1 })
  })
}
