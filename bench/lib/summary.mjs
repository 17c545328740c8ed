/**
 * The value in the middle, or the mean of the two there.
 * @param {readonly number[]} values
 */
export const median = (values) => {
  const sorted = [...values].sort((one, other) => one - other)
  const [below = Number.NaN, above = Number.NaN] = [
    sorted[Math.ceil(sorted.length / 2) - 1],
    sorted[Math.floor(sorted.length / 2)],
  ]
  return (below + above) / 2
}

/**
 * The median with the worst, which is the greatest, beside it.
 * @param {readonly number[]} values
 * @param {(value: number) => string} format
 */
export const medianAndWorst = (values, format) => `${format(median(values))} (${format(Math.max(...values))})`

/**
 * How a figure stands to another one.
 * @param {number} value
 * @param {number} other
 */
export const ratio = (value, other) => `${(value / other).toFixed(2)} ×`
