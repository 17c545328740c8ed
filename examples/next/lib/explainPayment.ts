import type { AnyKassaError } from 'kassa'
import { explainError, isOutOfReach } from './explainError'
import type { Translate } from './language/createTranslate'
import { shorten } from './shorten'

/** A buyer-facing explanation of a failed payment. */
export type PaymentNews = {
  /**
   * `calm`: nothing was sent. `careful`: a payment may be pending. `bad`: a transaction was sent and failed.
   */
  tone: 'calm' | 'careful' | 'bad'
  title: string
  text: string
  /** The transaction concerned, if any. */
  txId?: string
  /** The order's current price and its previous one. */
  prices?: { from: string; to: string }
  /** Whether the buyer needs the shop's help, because they cannot fix it themselves. */
  isForShop?: boolean
  /** Details for the person who fixes it. */
  detail?: string
}

const upper = (price: string): string => price.toUpperCase()

const stopped = (detail: string, t: Translate<'payment'>): PaymentNews => ({
  tone: 'calm',
  title: t('stoppedTitle'),
  text: t('stopped'),
  isForShop: true,
  detail,
})

/** Explains a payment error: what happened, whether money moved, and what to do. */
export const explainPayment = (
  error: AnyKassaError,
  t: Translate<'payment'>,
  isOnline = true,
): PaymentNews => {
  if (!isOnline && isOutOfReach(error)) {
    return { tone: 'calm', title: t('otherTitle'), text: explainError(error, t, { isOnline }) }
  }
  switch (error.code) {
    case 'pay.expired':
      return {
        tone: 'calm',
        title: t('expiredTitle'),
        text: t('expired'),
      }
    case 'pay.signature-refused':
      return {
        tone: 'calm',
        title: t('otherTitle'),
        text: t('notSponsored'),
        detail: error.context.reason,
      }
    case 'pay.price-changed':
      return {
        tone: 'calm',
        title: t('priceChangedTitle'),
        text: t('priceChanged'),
        prices: { from: upper(error.context.from), to: upper(error.context.to) },
      }
    case 'pay.quote-expired':
      return {
        tone: 'calm',
        title: t('quoteExpiredTitle'),
        text: t('quoteExpired'),
      }
    case 'pay.order-changed':
      return {
        tone: 'calm',
        title: t('orderChangedTitle'),
        text: t('orderChanged'),
      }
    case 'pay.rejected':
      return {
        tone: 'calm',
        title: t('rejectedTitle'),
        text: t('rejected'),
      }
    case 'pay.not-connected':
      return {
        tone: 'calm',
        title: t('notConnectedTitle'),
        text: t('notConnected'),
      }
    case 'pay.wrong-account':
      return {
        tone: 'calm',
        title: t('wrongAccountTitle'),
        text: t('wrongAccount'),
      }
    case 'pay.wrong-chain':
      return {
        tone: 'calm',
        title: t('wrongChainTitle'),
        text: t('wrongChain'),
      }
    case 'pay.insufficient-funds':
      return {
        tone: 'calm',
        title: t('fundsTitle', { currency: upper(error.context.currency) }),
        text: t('funds'),
      }
    case 'pay.insufficient-funds-for-gas':
      return {
        tone: 'calm',
        title: t('gasTitle'),
        text: t('gas'),
      }
    case 'pay.would-revert':
      return {
        tone: 'calm',
        title: t('wouldRevertTitle'),
        text: t('wouldRevert'),
        detail: error.context.reason,
      }
    case 'pay.chain-unavailable':
      return {
        tone: 'calm',
        title: t('chainAwayTitle'),
        text: t('chainAway'),
      }
    case 'pay.in-other-tab':
      return {
        tone: 'calm',
        title: t('otherTabTitle'),
        text: t('otherTab'),
      }
    case 'pay.vetoed':
      return {
        tone: 'calm',
        title: t('vetoedTitle'),
        text: t('vetoed', { reason: error.context.reason }),
        isForShop: true,
      }
    case 'pay.amount-mismatch':
      return stopped(
        t('stoppedAmount', {
          prepared: upper(error.context.prepared),
          quoted: upper(error.context.quoted),
        }),
        t,
      )
    case 'pay.chain-mismatch':
      return stopped(
        t('stoppedChain', { prepared: error.context.prepared, expected: error.context.expected }),
        t,
      )
    case 'pay.token-mismatch':
      return stopped(t('stoppedToken', { currency: upper(error.context.currency) }), t)
    case 'pay.recipient-mismatch':
      return stopped(t('stoppedRecipient', { recipient: shorten(error.context.prepared) }), t)
    case 'pay.call-not-allowed':
    case 'pay.preparation-invalid':
      return stopped(t('stoppedCall', { reason: error.context.reason }), t)
    case 'pay.token-unknown':
    case 'pay.chain-not-configured':
    case 'pay.not-payable':
      return {
        tone: 'calm',
        title: t('notPayableTitle'),
        text: t('notPayable'),
        isForShop: true,
        detail: error.message,
      }
    case 'pay.uncertain':
      return {
        tone: 'careful',
        title: t('uncertainTitle'),
        text: error.context.hasOpenTransaction ? t('uncertainPending') : t('uncertainText'),
      }
    case 'pay.dropped':
      return {
        tone: 'careful',
        title: t('droppedTitle'),
        text: t('dropped'),
        txId: error.context.txId,
      }
    case 'pay.cancelled':
      return {
        tone: 'calm',
        title: t('cancelledTitle'),
        text: t('cancelled'),
        txId: error.context.txId,
      }
    case 'pay.replaced':
      return {
        tone: 'bad',
        title: t('replacedTitle'),
        text: t('replaced'),
        txId: error.context.txId,
      }
    case 'pay.reverted':
      return {
        tone: 'bad',
        title: t('revertedTitle'),
        text: t('reverted'),
        txId: error.context.txId,
        detail: error.context.reason,
      }
    case 'pay.wallet-failed':
      return {
        tone: 'careful',
        title: t('walletFailedTitle'),
        text: t('walletFailed'),
        detail: error.context.reason,
      }
    default:
      return { tone: 'calm', title: t('otherTitle'), text: explainError(error, t, { isOnline }) }
  }
}
