/**
 * A bug that the simulation plants into a copy of the code, to find out whether it notices it. Each text must occur once
 * in its file.
 * @typedef {{ name: string, says: string, changes: { file: string, text: string, by: string }[] }} PlantedBug
 */

const order = 'src/engine/order'
const service = 'service/src'

/** @type {readonly PlantedBug[]} */
export const plantedBugs = [
  {
    name: 'second-payment-kept',
    says: 'a second payment is accepted while the first one is delivered',
    changes: [
      {
        file: `${order}/applyPayment.ts`,
        text: 'if (!isUnpaid(order)) {',
        by: "if (order.phase === 'completed') {",
      },
      {
        file: `${order}/applyPayment.ts`,
        text: "const held = order.phase === 'payment' ?",
        by: "const held = order.phase !== 'quote' ?",
      },
    ],
  },
  {
    name: 'late-payment-kept',
    says: 'a payment up to a minute after the end of its quote is accepted',
    changes: [
      {
        file: `${order}/applyQuote.ts`,
        text: 'expiresAtMs !== undefined && minedAtMs <= expiresAtMs',
        by: 'expiresAtMs !== undefined && minedAtMs <= expiresAtMs + 60_000',
      },
    ],
  },
  {
    name: 'boundary-missed',
    says: 'a payment in the last millisecond of its quote counts as late',
    changes: [
      {
        file: `${order}/applyQuote.ts`,
        text: 'expiresAtMs !== undefined && minedAtMs <= expiresAtMs',
        by: 'expiresAtMs !== undefined && minedAtMs < expiresAtMs',
      },
    ],
  },
  {
    name: 'underpayment-kept',
    says: 'a payment of 99 % of the price is accepted',
    changes: [
      {
        file: `${order}/applyPayment.ts`,
        text: 'if (BigInt(paid.units) >= totalUnits) return accept',
        by: 'if (BigInt(paid.units) * 100n >= totalUnits * 99n) return accept',
      },
    ],
  },
  {
    name: 'parts-kept',
    says: 'parts of a price do not go back when the quote ends',
    changes: [
      {
        file: `${order}/applyQuote.ts`,
        text: 'return refundParts(ended)',
        by: 'return unchanged(ended)',
      },
    ],
  },
  {
    name: 'returned-part-counts-again',
    says: 'a part of a price that went back counts for the next quote',
    changes: [
      {
        file: `${order}/applyQuote.ts`,
        text: "payments.filter((paid) => paid.use === 'part' && isInTime(quote, paid))",
        by: "payments.filter((paid) => (paid.use === 'part' || paid.use === 'returned') && isInTime(quote, paid))",
      },
    ],
  },
  {
    name: 'quoted-while-being-paid',
    says: 'an order is quoted again while a payment waits for its confirmations',
    changes: [
      {
        file: 'src/schema/takesChanges.ts',
        text: "payments.every(({ use }) => use === 'returned')",
        by: "payments.every(({ use }) => use === 'returned' || use === 'undecided')",
      },
    ],
  },
  {
    name: 'part-used-and-refunded',
    says: 'a part of a price that is paid in full counts, and goes back',
    changes: [
      {
        file: `${order}/applyPayment.ts`,
        text: "paid.use === 'part' && !ids.has(paid.id)",
        by: "paid.use === 'part'",
      },
    ],
  },
  {
    name: 'late-payment-lost',
    says: 'a payment after the end of its quote is returned without a refund',
    changes: [
      {
        file: `${order}/applyPayment.ts`,
        text: 'return refundPart(waiting, paid, { units: BigInt(paid.units), reason: code })',
        by: "return code === 'expired' ? waiting : refundPart(waiting, paid, { units: BigInt(paid.units), reason: code })",
      },
    ],
  },
  {
    name: 'proceeds-before-refunds',
    says: 'proceeds are swept before the refunds have ended, with the money that they need',
    changes: [
      {
        file: `${order}/applySweep.ts`,
        text: "({ paymentId, source }) => ids.has(paymentId) && source !== 'treasury'",
        by: "({ paymentId, source, status }) => ids.has(paymentId) && source !== 'treasury' && status === 'sent'",
      },
      {
        file: `${order}/settle.ts`,
        text: "order.refunds.every(({ status, source }) => status !== 'pending' || source === 'treasury')",
        by: 'true',
      },
    ],
  },
  {
    name: 'one-payment-per-transaction',
    says: 'two payments in one transaction count as one',
    changes: [
      {
        file: `${service}/sale/payments/findPayments.ts`,
        text: 'const ordinal = counts.get(place) ?? 0',
        by: 'const ordinal = 0',
      },
    ],
  },
  {
    name: 'confirmed-too-soon',
    says: 'a payment is final, and delivered, in its first block',
    changes: [
      {
        file: `${service}/sale/payments/lookForPayments.ts`,
        text: 'row.blockNumber <= finalBlock &&',
        by: 'row.blockNumber <= head.number &&',
      },
    ],
  },
  {
    name: 'new-payment-confirmed-too-soon',
    says: 'a payment is final when it is first seen, in whichever block',
    changes: [
      {
        file: `${service}/sale/payments/lookForPayments.ts`,
        text: 'recordNews(deps, chain, { found, targets, finalBlock })',
        by: 'recordNews(deps, chain, { found, targets, finalBlock: head.number })',
      },
    ],
  },
  {
    name: 'reorganisation-ignored',
    says: 'a payment whose block was replaced before it was final stays pending',
    changes: [
      {
        file: `${service}/sale/payments/lookForPayments.ts`,
        text: 'await recordReorganised(deps, chain, undone)',
        by: '',
      },
    ],
  },
  {
    name: 'deep-reorganisation-ignored',
    says: 'a final payment that the chain takes back stays accepted',
    changes: [
      {
        file: `${service}/sale/payments/recheckFinal.ts`,
        text: '!chain.isLocal && readLostBlocks',
        by: 'chain.isLocal && readLostBlocks',
      },
    ],
  },
  {
    name: 'late-search-missing',
    says: 'payments hours after the order are not looked for',
    changes: [
      {
        file: `${service}/sale/payments/lookForPayments.ts`,
        text: 'if (await lookForLate(deps, chain, options)) while',
        by: 'if (false) while',
      },
    ],
  },
  {
    name: 'refunded-again-after-crash',
    says: 'a refund whose process ended is sent under a new key',
    changes: [
      {
        file: `${service}/sale/orders/refund.ts`,
        text: 'chain.refund(attemptKey(payOutKeyOf(due), attempt)',
        by: "chain.refund(attemptKey([payOutKeyOf(due), deps.now()].join(':'), attempt)",
      },
    ],
  },
  {
    name: 'hold-released-twice',
    says: 'each refusal of a delivery returns its tokens to the supply',
    changes: [
      {
        file: `${service}/sale/orders/endDelivery.ts`,
        text: 'if (!isOver || !tokenIds) return',
        by: 'if (!tokenIds) return',
      },
    ],
  },
  {
    name: 'new-token-ids',
    says: 'another attempt at a delivery takes new token ids',
    changes: [
      {
        file: `${service}/sale/orders/deliver.ts`,
        text: '&& !known.tokenIds) due.set',
        by: '&& !known.minted) due.set',
      },
    ],
  },
  {
    name: 'supply-exceeded',
    says: 'a paid order takes more tokens than are left',
    changes: [
      {
        file: `${service}/goods/collections/allocateTokens.ts`,
        text: "limit !== null && allocatedCount + count > limit) return { isShort: 'collection'",
        by: "limit !== null && allocatedCount > limit) return { isShort: 'collection'",
      },
    ],
  },
  {
    name: 'jobs-outside-transaction',
    says: 'the jobs of a change are enqueued before it is committed',
    changes: [
      {
        file: `${service}/sale/orders/updateOrder.ts`,
        text: 'await enqueueEffects(deps, tx, order, effects)',
        by: 'await enqueueEffects({ ...deps, jobs: { enqueue: (_, ...job) => deps.jobs.enqueue(deps.db, ...job) } }, tx, order, effects)',
      },
    ],
  },
  {
    name: 'reservation-kept',
    says: 'tokens stay reserved once an order has ids for them',
    changes: [
      {
        file: `${service}/sale/orders/moveReservations.ts`,
        text: "if (quote.status !== 'valid' || !isDue || delivery.tokenIds) continue",
        by: "if (quote.status !== 'valid' || !isDue) continue",
      },
    ],
  },
  {
    name: 'money-booked-twice',
    says: 'the ledger does not take out what an order had before',
    changes: [
      {
        file: `${service}/sale/orders/bookMoney.ts`,
        text: 'bookOrder(lines, before, -1n)',
        by: '',
      },
    ],
  },
  {
    name: 'released-refund-forgotten',
    says: 'a refund is not sent if the run of its job that released it ends',
    changes: [
      {
        file: `${service}/sale/orders/refund.ts`,
        text: 'return present?.releasedAt && !isOver ? present : undefined',
        by: 'return undefined',
      },
    ],
  },
  {
    name: 'refund-requested-twice',
    says: 'a refund by the merchant forgets the ones before it',
    changes: [
      {
        file: `${order}/refundedOf.ts`,
        text: '.filter((share) => share.lineItemIndex === lineItemIndex)',
        by: '.filter(() => lineItemIndex < 0)',
      },
    ],
  },
  {
    name: 'refund-takes-swept-money',
    says: 'a refund by the merchant takes its money from the order after the sweep',
    changes: [
      {
        file: `${order}/requestRefund.ts`,
        text: "isSwept || wasSwept ? 'treasury' : undefined",
        by: 'undefined',
      },
    ],
  },
  {
    name: 'supply-taken-unchecked',
    says: 'new tokens are given out beyond the limit',
    changes: [
      {
        file: `${service}/goods/collections/allocateTokens.ts`,
        text: `\${allocatedCount} + \${count} <= \${supplyLimit})`,
        by: `\${allocatedCount} <= \${supplyLimit})`,
      },
    ],
  },
  {
    name: 'captured-too-late',
    says: 'a payment is captured although its deadline has passed',
    changes: [
      {
        file: `${order}/applyCapture.ts`,
        text: 'capture?.deadlineMs !== undefined && nowMs >= capture.deadlineMs',
        by: 'capture?.deadlineMs !== undefined && nowMs >= capture.deadlineMs + 60_000',
      },
    ],
  },
  {
    name: 'void-in-part',
    says: 'a void gives back all payments but the first',
    changes: [
      {
        file: `${order}/applyCapture.ts`,
        text: 'refundLeft({ order: ended, effects: [] }, listAccepted(order), reason)',
        by: 'refundLeft({ order: ended, effects: [] }, listAccepted(order).slice(1), reason)',
      },
    ],
  },
  {
    name: 'delivered-before-capture',
    says: 'the items of an order are delivered while its payment waits for the capture',
    changes: [
      {
        file: `${order}/applyPayment.ts`,
        text: 'if (capture && mustCapture(order)) {',
        by: 'if (capture && mustCapture(order) && order.lineItems.length > 1) {',
      },
    ],
  },
  {
    name: 'claimed-at-a-price',
    says: 'an order in dollars can be claimed without a payment',
    changes: [
      {
        file: `${order}/isFree.ts`,
        text: "quote.totalUnits === '0'",
        by: 'BigInt(quote.totalUnits ?? 10n ** 18n) < 10n ** 9n',
      },
    ],
  },
]
