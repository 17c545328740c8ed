import type { OrderState } from 'kassa/engine'

/**
 * Lists what a merchant finds an order by, in lower case: the e-mail addresses and wallets of its buyer, its
 * transactions, and the tokens that it delivered.
 */
export const searchTermsOf = ({ recipient, payment, payments, refunds, lineItems }: OrderState): string[] => {
  const terms = [
    recipient?.email,
    recipient?.walletAddress,
    payment.receiptEmail,
    payment.payerAddress,
    ...payments.flatMap(({ payer, txId }) => [payer, txId]),
    ...refunds.map(({ txId }) => txId),
    ...lineItems.flatMap(({ delivery }) => [
      delivery.walletAddress,
      delivery.txId,
      ...(delivery.minted ?? []).map(({ txId }) => txId),
      ...(delivery.tokens ?? []).flatMap((token) => [token.locator, token.mintHash]),
    ]),
  ]
  const written = terms.flatMap((term) => (term ? [term.toLowerCase()] : []))
  return [...new Set(written)].sort()
}
