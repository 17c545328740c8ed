import type { Messages } from '../../../locales/Messages.js'
import { isWaitingForShop } from '../../../order/capture.js'
import { isFreeOrder } from '../../../order/free.js'
import { isPaymentSeen } from '../../../order/payment.js'
import { getOpenStep, isUnderWay } from '../openStep.js'
import { type CheckoutValue, getCheckoutStage } from '../value.js'

/** One step from the wallet to the goods. */
export type ProgressStep = {
  name: 'wallet' | 'network' | 'delivery' | 'done'
  status: 'done' | 'current' | 'waiting' | 'failed'
  /** The step's text in the buyer's language. */
  text: string
}

const names = ['wallet', 'network', 'delivery', 'done'] as const

const sentences = {
  wallet: 'sign',
  network: 'confirming',
  delivery: 'itemOnItsWay',
  done: 'itemDelivered',
} satisfies Record<ProgressStep['name'], keyof Messages>

/** A purchase's current step. */
export type Progress = {
  step: ProgressStep['name'] | undefined
  /** Whether it failed there. */
  isFailed: boolean
  /** Whether nothing is paid, so that the steps of a payment are left out. */
  isFree: boolean
  /** Whether the delivery waits for the shop to capture the payment. */
  isHeld: boolean
}

/** Returns a purchase's progress, without a step before the wallet was asked. */
export const getProgress = (value: CheckoutValue): Progress => {
  const { order } = value
  const isFree = order !== undefined && isFreeOrder(order)
  const isHeld = order !== undefined && isWaitingForShop(order)
  const at = (step: Progress['step'], isFailed = false): Progress => ({ step, isFailed, isFree, isHeld })
  const step = getOpenStep(value)
  const stage = getCheckoutStage(value)
  if (order && isPaymentSeen(order)) {
    if (stage === 'completed') return at('done')
    return stage === 'paying' ? at('network') : at('delivery', stage === 'failed')
  }
  if (isFree) return at(undefined)
  if (stage === 'failed') return at('network', true)
  if (step.status === 'failed') return at('txId' in step.error.context ? 'network' : 'wallet', true)
  if ('txId' in step || step.status === 'uncertain') return at('network')
  return at(isUnderWay(step.status) ? 'wallet' : undefined)
}

/** Lists the steps of a purchase in their order, with the status of each. */
export const getProgressSteps = (
  { step, isFailed, isFree, isHeld }: Progress,
  messages: Messages,
): ProgressStep[] => {
  const reached = step ? names.indexOf(step) : -1
  const steps = names.map((name, index) => {
    const open = isFailed ? 'failed' : 'current'
    const status =
      index === reached ? (step === 'done' ? 'done' : open) : index < reached ? 'done' : 'waiting'
    const text = isHeld && name === 'delivery' ? messages.itemHeld : messages[sentences[name]]
    // "…" marks only what is happening now.
    const shown = status === 'current' ? text : text.replace(/(?<!…)…+$/, '').trimEnd()
    return { name, status, text: shown } as const
  })
  return isFree ? steps.slice(names.indexOf('delivery')) : steps
}
