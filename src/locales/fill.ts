/**
 * Fills the placeholders of a sentence: `fill('Pay {amount}', { amount: '1 ETH' })`. An unknown value leaves
 * nothing behind.
 */
export const fill = (
  sentence: string,
  values: Readonly<Record<string, string | number | undefined>>,
): string => sentence.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? '')).trim()
