import type { Amount } from 'kassa/schema'

/** What a faucet gives of each currency unless more is needed. @units whole units */
const plenty = 1_000n

/**
 * Returns how many whole units of a currency a faucet gives: a thousand, or more where an order costs more.
 *
 * @param least - What the recipient needs, in one currency.
 */
export const faucetGift = (currency: string, least: Amount | undefined): bigint => {
  if (least?.currency.toLowerCase() !== currency) return plenty
  // One more, for a fraction and for the network's fee.
  const needed = BigInt(least.amount.split('.')[0] ?? '0') + 1n
  return needed > plenty ? needed : plenty
}
