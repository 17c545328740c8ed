/**
 * A token, or the native currency, that this deployment accepts on a chain. The native currency has no
 * address.
 */
export type ChainCurrency = { currency: string; decimals: number; address?: string }
