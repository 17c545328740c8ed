/**
 * Converts a decimal string to base units, exactly.
 *
 * @returns The amount in base units, or undefined when the string is no decimal or has more fractional digits
 * than the currency.
 * @units `toBaseUnits('1.5', 6)` is `1500000n`.
 */
export const toBaseUnits = (amount: string, decimals: number): bigint | undefined => {
  const match = /^(\d{1,60})(?:\.(\d{1,60}))?$/.exec(amount)
  if (!match?.[1]) return undefined
  const fraction = (match[2] ?? '').replace(/(?<!0)0+$/, '')
  if (fraction.length > decimals) return undefined
  return BigInt(match[1] + fraction.padEnd(decimals, '0'))
}

/**
 * Converts base units to the shortest exact decimal string.
 *
 * @units `fromBaseUnits(1500000n, 6)` is `'1.5'`.
 */
export const fromBaseUnits = (units: bigint, decimals: number): string => {
  const digits = units.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/(?<!0)0+$/, '')
  return fraction ? `${whole}.${fraction}` : whole
}
