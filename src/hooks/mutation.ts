import type { UseMutationOptions } from '@tanstack/react-query'
import type { AnyKassaError } from '../api/index.js'

/** TanStack's mutation options without those that the hook sets. */
export type MutationParameter<Data, Variables> = Omit<
  UseMutationOptions<Data, AnyKassaError, Variables>,
  'mutationFn' | 'mutationKey' | 'scope' | 'onMutate'
>

/** Merges a caller's options over a hook's own. Both `onSuccess` run, the hook's first. */
export const mergeMutation = <Data, Variables>(
  own: UseMutationOptions<Data, AnyKassaError, Variables>,
  given: MutationParameter<Data, Variables> | undefined,
): UseMutationOptions<Data, AnyKassaError, Variables> => ({
  ...own,
  ...given,
  onSuccess: async (...success) => {
    await own.onSuccess?.(...success)
    await given?.onSuccess?.(...success)
  },
})
