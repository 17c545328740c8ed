import type { queryOptions, UndefinedInitialDataOptions, UnusedSkipTokenOptions } from '@tanstack/react-query'
import type { AnyKassaError, Client } from '../api/index.js'
import type { EvmChainName, WalletType } from '../schema/index.js'
import type { WalletKey } from './keys.js'

/** A wallet: `me:<walletType>` of whoever is signed in, through the shop's own handler. */
export type WalletLocator = `me:${WalletType}` | (string & {})

/** Whose tokens: `me:<chain>` of whoever is signed in, or `<chain>:<address>` of a wallet of theirs. */
export type HolderIdentifier = `me:${EvmChainName}` | (string & {})

/** TanStack's own options of a read, less what the read itself decides. */
export type ReadParameter<Data, Selected> = Omit<
  UndefinedInitialDataOptions<Data, AnyKassaError, Selected, WalletKey>,
  'queryKey' | 'queryFn'
>

/** What the options factories of this entry return. */
// In terms of `queryOptions` itself, so that the declarations name nothing that only some versions of it have.
export type ReadOptions<Data, Selected = Data> = ReturnType<
  typeof queryOptions<Data, AnyKassaError, Selected, WalletKey>
> &
  Pick<UnusedSkipTokenOptions<Data, AnyKassaError, Selected, WalletKey>, 'queryFn'>

/** What every hook of this entry takes. */
export type ReadParameters<Data, Selected = Data> = {
  /** The client of the shop's wallet handler. By default that of `WalletProvider`. */
  client?: Client | undefined
  query?: ReadParameter<Data, Selected> | undefined
}

const mostRetries = 3
/** Who waits for longer than that, three times over, is better told why. */
const longestMs = 5_000

const getRetryAfterMs = ({ context }: AnyKassaError): number =>
  ('retryAfterMs' in context && context.retryAfterMs) || 0

/** How whatever is read once is read, unless its caller says otherwise. */
export const readDefaults = {
  staleTime: 15_000,
  /** What trying again cannot mend is told at once, and so is a service that wants to be left alone for long. */
  retry: (failures: number, error: AnyKassaError): boolean =>
    failures < mostRetries && error.retryable && getRetryAfterMs(error) <= longestMs,
  retryDelay: (failures: number, error: AnyKassaError): number =>
    Math.max(Math.min(1_000 * 2 ** failures, longestMs), getRetryAfterMs(error)),
}
