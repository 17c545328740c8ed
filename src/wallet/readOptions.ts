import type { queryOptions, UndefinedInitialDataOptions, UnusedSkipTokenOptions } from '@tanstack/react-query'
import type { AnyKassaError, Client } from '../api/index.js'
import type { WalletKey } from './keys.js'

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
  /** The shop's wallet handler, where it is not the client of `CheckoutProvider`. */
  client?: Client | undefined
  query?: ReadParameter<Data, Selected> | undefined
}
