import type { Balance, BalanceToken } from 'kassa/schema'

/** An address's balance of a token on one chain, in base units of the token there. */
export type Held = { chain: string; units: bigint; decimals: number }

/**
 * Converts balances of a token to their form in the interface. If the token has different decimals on the
 * chains, all amounts use the finest unit, so that they add up.
 */
export const viewBalance = (token: BalanceToken, held: readonly Held[]): Balance => {
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
