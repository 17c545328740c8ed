import type { queryOptions, UndefinedInitialDataOptions, UnusedSkipTokenOptions } from '@tanstack/react-query'
import type { AnyKassaError, Client } from '../api/index.js'
import type { EvmChainName, WalletType } from '../schema/index.js'
import type { WalletKey } from './keys.js'

/** A wallet: `me:<walletType>` for the signed-in user, through the shop's own handler. */
export type WalletLocator = `me:${WalletType}` | (string & {})

/**
 * The holder of tokens: `me:<chain>` for the signed-in user, or `<chain>:<address>` for one of their wallets.
 */
export type HolderIdentifier = `me:${EvmChainName}` | (string & {})

/** TanStack's own options of a read without those that the read sets. */
export type ReadParameter<Data, Selected> = Omit<
  UndefinedInitialDataOptions<Data, AnyKassaError, Selected, WalletKey>,
  'queryKey' | 'queryFn'
>

/** The result of the options factories of this entry. */
// Derived from `queryOptions`, so that the declarations use no name that only some versions of TanStack Query
// export.
export type ReadOptions<Data, Selected = Data> = ReturnType<
  typeof queryOptions<Data, AnyKassaError, Selected, WalletKey>
> &
  Pick<UnusedSkipTokenOptions<Data, AnyKassaError, Selected, WalletKey>, 'queryFn'>

/** The parameters of every hook of this entry. */
export type ReadParameters<Data, Selected = Data> = {
  /** The client of the shop's wallet handler. By default that of `WalletProvider`. */
  client?: Client | undefined
  query?: ReadParameter<Data, Selected> | undefined
}

const maxRetries = 3
/** A user who would wait longer than this, three times, should see the reason instead. */
const longestMs = 5_000

const getRetryAfterMs = ({ context }: AnyKassaError): number =>
  ('retryAfterMs' in context && context.retryAfterMs) || 0

/** The default options of a single read. */
export const readDefaults = {
  staleTime: 15_000,
  /** A failure that no retry can fix shows at once, and so does a service that requests a long wait. */
  retry: (failures: number, error: AnyKassaError): boolean =>
    failures < maxRetries && error.retryable && getRetryAfterMs(error) <= longestMs,
  retryDelay: (failures: number, error: AnyKassaError): number =>
    Math.max(Math.min(1_000 * 2 ** failures, longestMs), getRetryAfterMs(error)),
}
