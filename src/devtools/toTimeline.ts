import type { CheckoutEvent } from '../pay/event.js'
import type { Amount } from '../schema/index.js'
import type { TimelineRecord } from './snapshot.js'

type Entry = Pick<TimelineRecord, 'kind' | 'changes' | 'code'>

const write = (amount: Amount | undefined): string =>
  amount ? `${amount.amount} ${amount.currency.toUpperCase()}` : 'none'

/** Converts an event of a checkout to a record of the timeline. */
export const toTimeline = (event: CheckoutEvent): Entry => {
  switch (event.type) {
    case 'payment.step': {
      const { from, to, code, txId } = event
      const sent = txId === undefined ? [] : [{ field: 'transaction', to: txId }]
      return { kind: 'step', changes: [{ field: 'step', from, to }, ...sent], ...(code && { code }) }
    }
    case 'payment.checked':
      return {
        kind: 'checked',
        changes: [
          { field: 'checked', to: write(event.amount) },
          { field: 'recipient', to: event.recipient },
        ],
      }
    case 'payment.repriced':
      return {
        kind: 'payment',
        changes: [{ field: 'transaction', from: event.replacedTxId, to: event.txId }],
      }
    case 'quote.refreshed':
      return { kind: 'quote', changes: [{ field: 'total', from: write(event.from), to: write(event.to) }] }
  }
}
