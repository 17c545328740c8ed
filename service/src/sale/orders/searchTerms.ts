import type { OrderState } from 'kassa/engine'

/** The index takes no longer ones. */
const longestTerm = 300

/**
 * Lists what a merchant finds an order by, in lower case: the e-mail addresses and wallets of its buyer, its
 * transactions, the tokens that it delivered, the names of what it bought, and the payment link that it came through.
 */
export const searchTermsOf = ({
  paymentLinkId,
  recipient,
  payment,
  payments,
  refunds,
  lineItems,
}: OrderState): string[] => {
  const terms = [
    paymentLinkId,
    recipient?.email,
    recipient?.walletAddress,
    payment.receiptEmail,
    payment.payerAddress,
    ...payments.flatMap(({ payer, txId }) => [payer, txId]),
    ...refunds.map(({ txId }) => txId),
    ...lineItems.flatMap(({ delivery, metadata }) => [
      delivery.walletAddress,
      delivery.txId,
      metadata.name,
      ...(delivery.minted ?? []).map(({ txId }) => txId),
      ...(delivery.tokens ?? []).flatMap((token) => [token.locator, token.mintHash]),
    ]),
  ]
  const written = terms.flatMap((term) => (term ? [term.trim().toLowerCase().slice(0, longestTerm)] : []))
  return [...new Set(written)].sort()
}
