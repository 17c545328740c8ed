/** Returns the wallet locator of a path, which the verb parses. */
export const walletOf = (params: Readonly<Record<string, string>>): { walletLocator: string } => ({
  walletLocator: params.walletLocator ?? '',
})
