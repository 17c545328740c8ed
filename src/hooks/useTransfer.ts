'use client'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { getServiceTime } from '../api/clock.js'
import type { TransferRequest } from '../chain/transferRequest.js'
import type { PayStep } from '../engine/payment/payStep.js'
import { type AnyKassaError, isKassaError } from '../errors/KassaError.js'
import { loadError } from '../errors/loadError.js'
import { isPaymentReturned, isPaymentSeen } from '../order/payment.js'
import { getStage, type OrderStage } from '../order/stage.js'
import { getTimeLeftMs } from '../order/timeLeft.js'
import type { PaymentFamily } from '../pay/family.js'
import type { OrderParameters } from '../query/order.js'
import { ofFamily } from '../schema/chains.js'
import type { Order } from '../schema/index.js'
import { useCheckoutContext, useProvided } from './checkoutContext.js'
import { useWagmiConfig } from './evm/wagmiConfig.js'
import { useNow } from './useNow.js'
import { useOrder } from './useOrder.js'
import { usePayOrder } from './usePayOrder.js'

/** Parameters of {@link useTransfer}. */
export type UseTransferParameters = OrderParameters

/**
 * Result of {@link useTransfer}.
 *
 * - `unavailable`: the order is paid, has no price, or its currency cannot be paid by a transfer.
 * - `busy`: a payment from the connected wallet may be on its way. The buyer must not be asked for another.
 * - `loading`: the order, a new price, or the code of its chain is being loaded.
 * - `refused`: the order asks for something other than its own payment.
 */
export type UseTransferResult =
  | { status: 'unavailable' | 'loading' | 'expired' | 'busy' }
  | { status: 'ready'; request: TransferRequest }
  | { status: 'refused'; error: AnyKassaError }

/** What decides whether an order can be paid by a transfer. */
export type TransferFacts = {
  order: Order | undefined
  step: PayStep
  stage: OrderStage | undefined
  /** Whether the price is about to change: a change is in progress, or the quote runs out. */
  isChanging: boolean
}

/** Less time than it takes to pay from another device. The page renews a quote that runs out. */
const shortestMs = 15_000

/**
 * Returns the facts at a time. They change with the clock only when something that is shown does.
 *
 * @param nowMs - The service's time, in epoch milliseconds; undefined on the server.
 */
export const getTransferFacts = (
  { order, step, isChanging }: Omit<TransferFacts, 'stage'>,
  nowMs: number | undefined,
): TransferFacts => {
  const leftMs = nowMs === undefined ? 0 : ((order && getTimeLeftMs(order, nowMs)) ?? shortestMs)
  return {
    order,
    step,
    stage: order && getStage(order, nowMs),
    isChanging: isChanging || leftMs < shortestMs,
  }
}

type Plan = Exclude<UseTransferResult['status'], 'ready' | 'refused'> | 'open'

const payable: readonly string[] = ['needs-payer', 'ready-to-pay', 'insufficient-funds']

const isUnderWay = (order: Order, step: PayStep): boolean => {
  const isReturned = 'txId' in step && step.txId !== undefined && isPaymentReturned(order, step.txId)
  return !isReturned && step.status !== 'idle' && step.status !== 'failed'
}

const getPlan = ({ order, step, stage, isChanging }: TransferFacts, hasAttempts: boolean): Plan => {
  if (!order || !stage) return 'loading'
  if (isPaymentSeen(order)) return 'unavailable'
  if (hasAttempts || isUnderWay(order, step)) return 'busy'
  if (stage === 'expired') return 'expired'
  if (!payable.includes(stage)) return 'unavailable'
  return isChanging ? 'loading' : 'open'
}

// Other tabs store their attempts too, and this event tells of them.
const onStored = (listener: () => void): (() => void) => {
  window.addEventListener('storage', listener)
  return () => window.removeEventListener('storage', listener)
}
const hasNoAttempts = (): boolean => false

// Outside the hook, because the React Compiler does not compile a hook with a dynamic import.
const importFamilies = () => import('../pay/createPayment.js')

type Opened = { method: string | undefined; family?: PaymentFamily; error?: AnyKassaError }

/** Loads the code of the chain on which an order is paid. */
const useFamily = (method: string | undefined, isWanted: boolean): Opened | undefined => {
  const { rules, solana } = useProvided() ?? {}
  const config = useWagmiConfig()
  const [opened, setOpened] = useState<Opened>()
  useEffect(() => {
    if (!isWanted || !config) return
    let isCurrent = true
    const keep = (next: Opened): void => {
      if (isCurrent) setOpened(next)
    }
    importFamilies()
      .then(({ openFamily }) => openFamily({ config, rules, solana, now: Date.now }, method))
      .then(
        (family) => keep({ method, family }),
        (cause: unknown) =>
          keep({ method, error: isKassaError(cause) ? cause : loadError('api.not-loaded', {}, { cause }) }),
      )
    return () => {
      isCurrent = false
    }
  }, [config, rules, solana, method, isWanted])
  return opened?.method === method ? opened : undefined
}

const read = (order: Order, { family, error }: Opened): UseTransferResult => {
  try {
    if (error) return { status: 'refused', error }
    const request = family?.request(order)
    return request ? { status: 'ready', request } : { status: 'unavailable' }
  } catch (thrown) {
    if (isKassaError(thrown)) return { status: 'refused', error: thrown }
    throw thrown
  }
}

/** Decides whether an order can be paid by a transfer, and how. */
export const useTransferOf = (facts: TransferFacts): UseTransferResult => {
  const { order } = facts
  const method = order?.payment.method ?? order?.payment.preparation?.chain
  const { attemptStore, rules, solana } = useProvided() ?? {}
  const config = useWagmiConfig()
  const orderId = order?.orderId
  const hasAttempts = useSyncExternalStore(
    onStored,
    () => orderId !== undefined && attemptStore !== undefined && attemptStore.list(orderId).length > 0,
    hasNoAttempts,
  )
  // A transfer has nothing to be checked against where the app does not say who receives it.
  const isPinned =
    config !== undefined && ofFamily<unknown>({ evm: rules?.contracts, solana }, method) !== undefined
  const plan = getPlan(facts, hasAttempts)
  const isOpen = isPinned && plan === 'open'
  const opened = useFamily(method, isOpen)
  return useMemo((): UseTransferResult => {
    if (order && !isPinned) return { status: 'unavailable' }
    if (plan !== 'open') return { status: plan }
    return order && opened ? read(order, opened) : { status: 'loading' }
  }, [order, isPinned, plan, opened])
}

/**
 * Returns what pays an order from a wallet that is not connected to the page, such as one on a phone: an address to
 * show as a QR code or a link. The request is checked by the same rules as a payment from the connected wallet, and
 * needs the provider's `contracts`, or `operator` of `kassa/solana`.
 *
 * @param parameters - `orderId` and the `clientSecret` that opens it.
 * @example
 * ```tsx
 * import { useTransfer } from 'kassa'
 *
 * export function PayFromPhone(props: { orderId: string; clientSecret: string }) {
 *   const transfer = useTransfer(props)
 *   return transfer.status === 'ready' ? <a href={transfer.request.uri}>Open in wallet</a> : null
 * }
 * ```
 */
export const useTransfer = (parameters: UseTransferParameters): UseTransferResult => {
  const { client } = useCheckoutContext('useTransfer')
  const { data: order } = useOrder(parameters)
  const { step } = usePayOrder(parameters)
  const deviceMs = useNow(1_000)
  const nowMs = deviceMs === undefined ? undefined : getServiceTime(client, deviceMs)
  return useTransferOf(getTransferFacts({ order, step, isChanging: false }, nowMs))
}
