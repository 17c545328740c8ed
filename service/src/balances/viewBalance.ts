import type { Balance } from 'kassa/schema'

/** What an address holds of a token on one chain, in base units of the token there. */
export type Held = { chain: string; units: bigint; decimals: number }

/**
 * Shows what a wallet holds of a token. Where a token has more decimals on one chain than on another, all amounts
 * are told in the finest of these units, so that they add up.
 */
export const viewBalance = (token: string, held: readonly Held[]): Balance => {
  const decimals = Math.max(0, ...held.map((one) => one.decimals))
  const amounts = held.map((one) => ({
    chain: one.chain,
    units: one.units * 10n ** BigInt(decimals - one.decimals),
  }))
  const total = amounts.reduce((sum, { units }) => sum + units, 0n)
  const balances = Object.fromEntries([
    ...amounts.map(({ chain, units }) => [chain, String(units)]),
    ['total', String(total)],
  ])
  return { token, decimals, balances }
}
