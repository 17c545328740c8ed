import type { QueryClient } from '@tanstack/react-query'
import type { Client } from '../api/client.js'
import type { PaymentAttemptStore } from '../chain/index.js'
import type { PayStep } from '../engine/payment/payStep.js'
import { isPending } from '../engine/payment/payStep.js'
import type { CheckoutEvent } from '../pay/event.js'
import { getPayment } from '../pay/payment.js'
import { orderQueryKey } from '../query/keys.js'
import type { Order } from '../schema/index.js'
import { type ForcedStateName, forcedStates } from './forcedStates.js'
import { canForce, forceOrder } from './forceOrder.js'
import { type HeldOrder, holdOrder } from './holdOrder.js'
import { listChanges } from './listChanges.js'
import type { AttemptRecord, CheckedRecord, OrderRecord, StepRecord, TimelineRecord } from './snapshot.js'

/** Parameters of {@link createDevtools}. */
export type DevtoolsParameters = {
  client: Client
  queryClient: QueryClient
  attemptStore: PaymentAttemptStore
  /** The listeners of the checkout's events, from the provider's context. */
  listeners: Set<(event: CheckoutEvent) => void>
  /** The clock, in epoch milliseconds. */
  now(): number
}

/** What is known of an order in addition to the order itself. */
type Known = {
  step: PayStep
  attempts: readonly AttemptRecord[]
  checked: CheckedRecord | undefined
  forced: ForcedStateName | undefined
  isSandbox: boolean
}

const describeStep = (step: PayStep): StepRecord => ({
  status: step.status,
  ...('error' in step && { code: step.error.code, message: step.error.message }),
  ...('txId' in step && { txId: step.txId }),
})

/**
 * Merges the stored attempts into the known ones. An attempt that the store has removed is no longer open.
 */
const mergeAttempts = (
  known: readonly AttemptRecord[],
  attemptStore: PaymentAttemptStore,
  orderId: string,
): AttemptRecord[] => {
  const open = attemptStore.list(orderId).map(({ orderId: _, ...attempt }) => ({ ...attempt, isOpen: true }))
  const closed = known.filter(({ id }) => !open.some((attempt) => attempt.id === id))
  return [...closed.map((attempt) => ({ ...attempt, isOpen: false })), ...open]
}

/**
 * Lists the states an order can be shown in. There are none while a payment may be on its way, because a
 * simulated state would mislead it.
 */
const listStates = (order: Order, { step, attempts, isSandbox }: Known): ForcedStateName[] => {
  const isPaying = isPending(step) || step.status === 'uncertain' || attempts.some(({ isOpen }) => isOpen)
  if (!isSandbox || isPaying) return []
  const names = Object.keys(forcedStates) as ForcedStateName[]
  return names.filter((name) => canForce(order, name))
}

/** Describes an order and its payment, as they are in the cache, in plain values. */
const describeOrder = (order: Order, known: Known): OrderRecord => {
  const { quote, payment } = order
  const { attempts, checked, forced } = known
  return {
    orderId: order.orderId,
    phase: order.phase,
    quote: quote.status,
    payment: payment.status,
    deliveries: order.lineItems.map(({ delivery }) => delivery.status),
    total: quote.totalPrice && `${quote.totalPrice.amount} ${quote.totalPrice.currency.toUpperCase()}`,
    expiresAt: quote.expiresAt,
    chain: payment.method,
    payer: payment.preparation?.payerAddress ?? attempts.at(-1)?.payerAddress,
    step: describeStep(known.step),
    attempts: [...attempts],
    checked,
    forced,
    canBeForcedTo: listStates(order, known),
  }
}

/** A change of an order for its timeline. */
export type Note = Pick<TimelineRecord, 'kind' | 'changes' | 'code'>

/** The orders of one client in a query cache, with their observed history. */
export type OrderBook = {
  /** Reads the current state of the cache, the payments and the attempts. */
  read(isSandbox: boolean): OrderRecord[]
  keepChecked(orderId: string, checked: CheckedRecord): void
  isForced(orderId: string): boolean
  force(orderId: string, name: ForcedStateName): void
  release(orderId: string): void
  /** Shows every real order again and stops listening. */
  close(): void
}

type Entry = {
  seen?: Order | undefined
  attempts: AttemptRecord[]
  checked?: CheckedRecord | undefined
  forced?: { name: ForcedStateName; held: HeldOrder } | undefined
  stop?: (() => void) | undefined
}

/** Creates a record of the orders of one client. */
export const createOrderBook = (
  { client, queryClient, attemptStore, now }: Omit<DevtoolsParameters, 'listeners'>,
  note: (orderId: string, note: Note) => void,
  onChange: () => void,
): OrderBook => {
  const entries = new Map<string, Entry>()
  const open = (orderId: string): Entry => {
    const entry = entries.get(orderId) ?? { attempts: [] }
    entries.set(orderId, entry)
    return entry
  }

  const noteForced = (orderId: string, from: string | undefined, to: string | undefined): void =>
    note(orderId, {
      kind: to === undefined ? 'released' : 'forced',
      changes: [{ field: 'forced', from, to: to ?? 'none' }],
    })

  const look = (entry: Entry, order: Order): void => {
    const { forced, seen } = entry
    if (forced && !forced.held.isShown()) {
      entry.forced = undefined
      noteForced(order.orderId, forced.name, undefined)
    }
    entry.seen = order
    const changes = order === seen ? [] : listChanges(seen, order)
    if (changes.length) note(order.orderId, { kind: 'order', changes })
  }

  const release = (orderId: string): void => entries.get(orderId)?.forced?.held.release()

  return {
    read: (isSandbox) => {
      const queryKey = ['kassa', 'order', { baseUrl: client.publicBaseUrl ?? client.baseUrl }]
      return queryClient.getQueriesData<Order>({ queryKey }).flatMap(([, order]) => {
        if (!order) return []
        const { orderId } = order
        const entry = open(orderId)
        const payment = getPayment(queryClient, client, orderId)
        entry.stop ??= payment.subscribe(onChange)
        look(entry, order)
        entry.attempts = mergeAttempts(entry.attempts, attemptStore, orderId)
        const { attempts, checked, forced } = entry
        return [
          describeOrder(order, {
            step: payment.getStep(),
            attempts,
            checked,
            forced: forced?.name,
            isSandbox,
          }),
        ]
      })
    },
    keepChecked: (orderId, checked) => {
      open(orderId).checked = checked
    },
    isForced: (orderId) => entries.get(orderId)?.forced !== undefined,
    force: (orderId, name) => {
      const order = queryClient.getQueryData<Order>(orderQueryKey(client, orderId))
      if (!order) return
      const entry = open(orderId)
      const held = entry.forced?.held ?? holdOrder(queryClient, client, order)
      noteForced(orderId, entry.forced?.name, name)
      entry.forced = { name, held }
      held.show(forceOrder(held.real, name, now()))
    },
    release,
    close: () => {
      for (const [orderId, entry] of entries) {
        release(orderId)
        entry.stop?.()
        entry.stop = undefined
      }
    },
  }
}
