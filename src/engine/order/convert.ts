/** An exact decimal as a fraction: `numerator / 10^scale`. */
type Fraction = { numerator: bigint; scale: number }

const parseDecimal = (text: string): Fraction => {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text)
  if (!match?.[1]) throw new RangeError(`not a decimal: ${text}`)
  const fraction = match[2] ?? ''
  return { numerator: BigInt(match[1] + fraction), scale: fraction.length }
}

const divideUp = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor

/** Whether two decimals are the same number in any notation. */
export const equalsDecimal = (left: string, right: string): boolean => {
  const [a, b] = [parseDecimal(left), parseDecimal(right)]
  return a.numerator * 10n ** BigInt(b.scale) === b.numerator * 10n ** BigInt(a.scale)
}

/** Multiplies a decimal by a whole number. Returns the shortest exact decimal. */
export const multiplyDecimal = (amount: string, factor: number): string => {
  const { numerator, scale } = parseDecimal(amount)
  const digits = (numerator * BigInt(factor)).toString().padStart(scale + 1, '0')
  const fraction = digits.slice(digits.length - scale).replace(/(?<!0)0+$/, '')
  const whole = digits.slice(0, digits.length - scale)
  return scale > 0 && fraction ? `${whole}.${fraction}` : scale > 0 ? whole : digits
}

/** Returns a part of an amount, in hundredths of a percent, rounded up. */
export const basisPoints = (units: bigint, points: number): bigint =>
  divideUp(units * BigInt(points), 10_000n)

/** Returns the value of one whole unit of a currency in US dollars. The dollar itself needs no rate. */
export const getRate = (rates: Readonly<Record<string, string>>, currency: string): string | undefined => {
  const rate = Object.hasOwn(rates, currency) ? rates[currency] : currency === 'usd' ? '1' : undefined
  return rate !== undefined && parseDecimal(rate).numerator > 0n ? rate : undefined
}

/**
 * Converts an amount from one currency to another through US dollars, exactly, rounded up to the base unit.
 *
 * @returns Base units of `to`, or `undefined` if a rate is missing.
 * @units `amount` is a decimal string in whole units of `from`.
 */
export const convertUp = (
  amount: string,
  from: string,
  to: { currency: string; decimals: number },
  rates: Readonly<Record<string, string>>,
): bigint | undefined => {
  const { numerator, scale } = parseDecimal(amount)
  const toUnits = 10n ** BigInt(to.decimals)
  if (from === to.currency) return divideUp(numerator * toUnits, 10n ** BigInt(scale))
  const [sourceRate, targetRate] = [getRate(rates, from), getRate(rates, to.currency)]
  if (sourceRate === undefined || targetRate === undefined) return undefined
  const [source, target] = [parseDecimal(sourceRate), parseDecimal(targetRate)]
  const dividend = numerator * source.numerator * toUnits * 10n ** BigInt(target.scale)
  const divisor = target.numerator * 10n ** BigInt(scale + source.scale)
  return divideUp(dividend, divisor)
}
