/**
 * Returns the message that the interface has a chain and this deployment has not enabled it. Aptos has no adapter, so
 * no deployment can.
 */
export const notEnabled = (
  { chains }: { chains: { readonly enabled: readonly string[] } },
  chain: string,
): string => {
  const enabled = `(enabled: ${chains.enabled.join(', ') || 'none'})`
  return chain === 'aptos'
    ? `Aptos is not supported, and no setting enables it ${enabled}`
    : `${chain} is not enabled on this deployment ${enabled}`
}
