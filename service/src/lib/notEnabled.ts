/** Returns the message that the interface has a chain and this deployment has not enabled it. */
export const notEnabled = (
  { chains }: { chains: { readonly enabled: readonly string[] } },
  chain: string,
): string => `${chain} is not enabled on this deployment (enabled: ${chains.enabled.join(', ') || 'none'})`
