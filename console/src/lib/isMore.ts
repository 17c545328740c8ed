/** Whether a decimal string is more than another one. Both are compared as integers of the same scale. */
export const isMore = (left: string, right: string): boolean => {
  const scale = Math.max(...[left, right].map((text) => text.split('.')[1]?.length ?? 0))
  const toUnits = (text: string): bigint => {
    const [whole = '0', fraction = ''] = text.split('.')
    return BigInt(whole + fraction.padEnd(scale, '0'))
  }
  return toUnits(left) > toUnits(right)
}
