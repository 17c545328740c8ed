/** Which wallet a path names, by a locator that the verb reads. */
export const walletOf = (params: Readonly<Record<string, string>>): { walletLocator: string } => ({
  walletLocator: params.walletLocator ?? '',
})
