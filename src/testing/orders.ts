import type { Order, UnknownMember } from '../schema/index.js'
import {
  charge,
  delivered,
  deliveredOnSolana,
  itemFixture,
  nativePreparation,
  type OrderDraft,
  orderFixture,
  orderId,
  prepareNative,
  prepareOnSolana,
  secondItem,
  solanaBuyer,
  solanaTxId,
  txId,
} from './orderFixture.js'
import { pictures } from './pictures.js'

const payer = { chain: nativePreparation.chain, payerAddress: nativePreparation.payerAddress }
const unquoted = { status: 'requires-quote', preparation: payer } as const
const noPrice = { totalPrice: undefined, expiresAt: undefined }
/** The quote of a line item while it is not known who gets it: the goods have a price, and nothing else has. */
const goodsOnly = (amount: string) =>
  ({ status: 'requires-recipient', charges: { unit: charge(amount).unit }, totalPrice: undefined }) as const
const received = { amount: '0.02', currency: 'eth', chain: 'base-sepolia', txId: txId('a') }
const receivedInFull = { ...received, amount: '0.042' }
const refunded = { ...received, txId: txId('b') }
const paid = { status: 'completed', preparation: payer, received: receivedInFull } as const
const onItsWay = { status: 'in-progress' } as const
const failed = { status: 'failed' } as const
const usdc = (amount: string) => ({ amount, currency: 'usdc' })
const sol = (amount: string) => ({ amount, currency: 'sol' })

const solanaPayer = { chain: 'solana', payerAddress: solanaBuyer }
const solanaRecipient = { locator: `solana:${solanaBuyer}`, walletAddress: solanaBuyer }
const receivedOnSolana = { amount: '0.84', currency: 'sol', chain: 'solana', txId: solanaTxId }

/** Builds an order of goods on Solana, which is paid there too. */
const onSolana = (amount: string, currency: string, { lineItems, payment, ...draft }: OrderDraft = {}) => {
  const totalPrice = { amount, currency }
  const quote = { charges: charge(amount, currency), totalPrice }
  const item = itemFixture({ chain: 'solana', quote, delivery: { recipient: solanaRecipient } })
  return orderFixture({
    ...draft,
    lineItems: lineItems ?? [item],
    quote: { totalPrice },
    payment: { method: 'solana', currency, preparation: solanaPayer, ...payment },
  })
}

/** Returns a status that only a newer service has. */
const unheardOf = (status: string) => status as UnknownMember

/** Keeps the declaration short: it has the type of an order once, not once for every name. */
const nameAll = <Name extends string>(all: Record<Name, Order>): Record<Name, Order> => all

/**
 * Every known state of an order, once, as the service shows it.
 *
 * @example
 * ```ts
 * import { getStage } from 'kassa'
 * import { orders } from 'kassa/testing'
 *
 * export const stages = Object.values(orders).map((order) => getStage(order, Date.parse(order.quote.quotedAt ?? '')))
 * ```
 */
export const orders = nameAll({
  requiresRecipient: orderFixture({
    phase: 'quote',
    lineItems: [
      itemFixture({ quote: goodsOnly('0.012'), delivery: { recipient: undefined } }),
      secondItem({ quote: goodsOnly('0.03'), delivery: { recipient: undefined } }),
    ],
    quote: { status: 'requires-recipient', ...noPrice },
    payment: { status: 'requires-quote' },
  }),
  requiresPhysicalAddress: orderFixture({
    phase: 'quote',
    lineItems: [itemFixture({ quote: goodsOnly('0.012') }), secondItem({ quote: goodsOnly('0.03') })],
    quote: { status: 'requires-physical-address', ...noPrice },
    payment: unquoted,
  }),
  requiresPayer: orderFixture({ payment: { status: 'requires-crypto-payer-address' } }),
  requiresEmail: orderFixture({ payment: { status: 'requires-email', preparation: payer } }),
  awaitingPaymentNative: orderFixture({ payment: { preparation: nativePreparation } }),
  awaitingPaymentUsdc: orderFixture({
    lineItems: [
      itemFixture({
        chain: 'polygon-amoy',
        metadata: { name: 'Ridge at Dusk, signed edition', imageUrl: pictures.ridge },
        quote: { charges: charge('1249.5', 'usdc'), totalPrice: usdc('1249.5') },
      }),
    ],
    quote: { totalPrice: usdc('1249.5') },
    payment: { method: 'polygon-amoy', currency: 'usdc' },
  }),
  awaitingPaymentSol: onSolana('0.84', 'sol', {
    payment: { preparation: prepareOnSolana('sol', 840_000_000n) },
  }),
  awaitingPaymentUsdcOnSolana: onSolana('126', 'usdc', {
    payment: { preparation: prepareOnSolana('usdc', 126_000_000n) },
  }),
  insufficientFunds: orderFixture({
    payment: { status: 'crypto-payer-insufficient-funds', preparation: payer },
  }),
  insufficientFundsForGas: orderFixture({
    payment: { status: 'crypto-payer-insufficient-funds-for-gas', preparation: payer },
  }),
  insufficientFundsOnSolana: onSolana('0.84', 'sol', {
    payment: { status: 'crypto-payer-insufficient-funds' },
  }),
  expired: orderFixture({
    phase: 'quote',
    lineItems: [itemFixture({ quote: { status: 'expired' } }), secondItem({ quote: { status: 'expired' } })],
    quote: { status: 'expired' },
    payment: unquoted,
  }),
  itemUnavailable: orderFixture({
    lineItems: [
      itemFixture(),
      secondItem({
        quote: {
          status: 'item-unavailable',
          unavailabilityReason: { code: 'sold-out', message: 'Sold out' },
          totalPrice: undefined,
        },
      }),
    ],
    quote: { totalPrice: { amount: '0.012', currency: 'eth' } },
  }),
  allUnavailable: orderFixture({
    phase: 'quote',
    lineItems: [itemFixture({ quote: { status: 'item-unavailable', totalPrice: undefined } })],
    quote: { status: 'all-line-items-unavailable', ...noPrice },
    payment: unquoted,
  }),
  paymentInProgress: orderFixture({
    payment: { status: 'in-progress', preparation: payer, received: receivedInFull },
  }),
  paymentInProgressOnSolana: onSolana('0.84', 'sol', {
    payment: { status: 'in-progress', received: receivedOnSolana },
  }),
  underpaid: orderFixture({
    payment: {
      preparation: prepareNative(orderId, '0.022'),
      failureReason: { code: 'underpaid' },
      received,
      remaining: { amount: '0.022', currency: 'eth' },
    },
  }),
  otherCurrencyRefunded: orderFixture({
    payment: {
      preparation: nativePreparation,
      failureReason: { code: 'unknown' },
      received: { ...received, ...usdc('5') },
      refunded: { ...refunded, ...usdc('5') },
    },
  }),
  underpaidRefunded: orderFixture({
    phase: 'quote',
    lineItems: [itemFixture({ quote: { status: 'expired' } }), secondItem({ quote: { status: 'expired' } })],
    quote: { status: 'expired' },
    payment: { ...unquoted, failureReason: { code: 'underpaid' }, received, refunded },
  }),
  paidTooLate: orderFixture({
    phase: 'quote',
    lineItems: [itemFixture({ quote: { status: 'expired' } }), secondItem({ quote: { status: 'expired' } })],
    quote: { status: 'expired' },
    payment: {
      ...unquoted,
      failureReason: { code: 'expired' },
      received: receivedInFull,
      refunded: { ...refunded, amount: '0.042' },
    },
  }),
  paymentNotFound: orderFixture({
    payment: { preparation: nativePreparation, failureReason: { code: 'tx-id-not-found' } },
  }),
  paymentFailed: orderFixture({ payment: { status: 'failed', failureReason: { code: 'unknown' } } }),
  paymentFailedForFunds: orderFixture({
    payment: { status: 'failed', failureReason: { code: 'insufficient-funds' } },
  }),
  requiresIdentity: orderFixture({ payment: { status: 'requires-kyc' } }),
  identityChecked: orderFixture({ payment: { status: 'manual-kyc' } }),
  identityRefused: orderFixture({ payment: { status: 'failed-kyc' } }),
  delivering: orderFixture({
    phase: 'delivery',
    lineItems: [itemFixture({ delivery: onItsWay }), secondItem({ delivery: onItsWay })],
    payment: paid,
  }),
  partlyDelivered: orderFixture({
    phase: 'delivery',
    lineItems: [itemFixture({ delivery: delivered('7') }), secondItem({ delivery: onItsWay })],
    payment: paid,
  }),
  completed: orderFixture({
    phase: 'completed',
    lineItems: [itemFixture({ delivery: delivered('7') }), secondItem({ delivery: delivered('18', '19') })],
    payment: paid,
  }),
  completedOnSolana: onSolana('0.84', 'sol', {
    phase: 'completed',
    lineItems: [
      itemFixture({
        chain: 'solana',
        quote: { charges: charge('0.24', 'sol'), totalPrice: sol('0.24') },
        delivery: deliveredOnSolana('9wFFyRfZBsuAha4YcuxcXLKwMxJR43S7fPfQLusDBzvT'),
      }),
      secondItem({
        chain: 'solana',
        quote: { charges: charge('0.6', 'sol'), totalPrice: sol('0.6') },
        delivery: deliveredOnSolana(
          'DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263',
          'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
        ),
      }),
    ],
    payment: { status: 'completed', received: receivedOnSolana },
  }),
  excessRefunded: orderFixture({
    phase: 'completed',
    lineItems: [itemFixture({ delivery: delivered('7') }), secondItem({ delivery: delivered('18', '19') })],
    payment: {
      ...paid,
      received: { ...received, amount: '0.05' },
      refunded: { ...refunded, amount: '0.008' },
    },
  }),
  refundNeedsAddress: orderFixture({
    phase: 'quote',
    lineItems: [itemFixture({ quote: { status: 'expired' } }), secondItem({ quote: { status: 'expired' } })],
    quote: { status: 'expired' },
    payment: {
      status: 'requires-quote',
      failureReason: { code: 'underpaid' },
      received,
      refundHeld: { amount: '0.02', currency: 'eth', chain: 'base-sepolia', reason: 'contract-payer' },
    },
  }),
  refundedInPart: orderFixture({
    phase: 'completed',
    lineItems: [itemFixture({ delivery: delivered('7') }), secondItem({ delivery: delivered('18', '19') })],
    payment: { ...paid, refunded: { ...refunded, amount: '0.03' } },
  }),
  refundedWhole: orderFixture({
    phase: 'completed',
    lineItems: [itemFixture({ delivery: delivered('7') }), secondItem({ delivery: delivered('18', '19') })],
    payment: { ...paid, refunded: { ...refunded, amount: '0.042' } },
  }),
  free: orderFixture({
    lineItems: [
      itemFixture({ quote: { charges: charge('0', 'eth'), totalPrice: { amount: '0', currency: 'eth' } } }),
    ],
    quote: { totalPrice: { amount: '0', currency: 'eth' } },
  }),
  claimed: orderFixture({
    phase: 'delivery',
    lineItems: [
      itemFixture({
        quote: { charges: charge('0', 'eth'), totalPrice: { amount: '0', currency: 'eth' } },
        delivery: onItsWay,
      }),
    ],
    quote: { totalPrice: { amount: '0', currency: 'eth' } },
    payment: { status: 'completed' },
  }),
  waitingForShop: orderFixture({
    phase: 'delivery',
    lineItems: [itemFixture({ delivery: onItsWay }), secondItem({ delivery: onItsWay })],
    payment: {
      ...paid,
      capture: 'manual',
      captureStatus: 'requires-capture',
      captureBefore: '2026-09-08T12:00:00.000Z',
    },
  }),
  notConfirmed: orderFixture({
    phase: 'completed',
    lineItems: [itemFixture({ delivery: failed }), secondItem({ delivery: failed })],
    payment: {
      ...paid,
      capture: 'manual',
      captureStatus: 'voided',
      refunded: { ...refunded, amount: '0.042' },
    },
  }),
  completedWithFailure: orderFixture({
    phase: 'completed',
    lineItems: [itemFixture({ delivery: delivered('7') }), secondItem({ delivery: failed })],
    payment: { ...paid, refunded: { ...refunded, amount: '0.03' } },
  }),
  nothingDelivered: orderFixture({
    phase: 'completed',
    lineItems: [itemFixture({ delivery: failed }), secondItem({ delivery: failed })],
    payment: { ...paid, refunded: { ...refunded, amount: '0.042' } },
  }),
  unknownFutureState: orderFixture({
    phase: unheardOf('inspection'),
    locale: 'xx',
    lineItems: [
      itemFixture({
        quote: { status: unheardOf('in-customs') },
        delivery: { status: unheardOf('held-at-customs') },
      }),
    ],
    quote: { status: unheardOf('under-review') },
    payment: { status: unheardOf('awaiting-papers'), failureReason: { code: unheardOf('papers-missing') } },
  }),
})

/** The name of one of the {@link orders}. */
export type OrderName = keyof typeof orders
