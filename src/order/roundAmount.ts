import { fromBaseUnits } from '../schema/baseUnits.js'

/**
 * Rounds an amount that is too long to read to six digits of its fraction, after its leading zeros.
 *
 * @param isUp - Whether to round up, as for a price to pay, instead of down, as for a balance.
 * @returns A decimal string; undefined when the amount is short enough to be shown as it is.
 * @units `roundAmount('0.012345678901234567', true)` is `'0.0123457'`.
 */
export const roundAmount = (amount: string, isUp: boolean): string | undefined => {
  const [, whole, zeros, kept, cut] = /^(\d+)\.(0*)([1-9]\d{5})(\d*[1-9])0*$/.exec(amount) ?? []
  if (whole === undefined || zeros === undefined || kept === undefined || cut === undefined) return undefined
  return fromBaseUnits(BigInt(whole + zeros + kept) + (isUp ? 1n : 0n), zeros.length + kept.length)
}
