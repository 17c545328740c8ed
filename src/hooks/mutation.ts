import type { UseMutationOptions } from '@tanstack/react-query'
import type { AnyKassaError } from '../api/index.js'

/** TanStack's mutation options, less what the hook itself decides. */
export type MutationParameter<Data, Variables> = Omit<
  UseMutationOptions<Data, AnyKassaError, Variables>,
  'mutationFn' | 'mutationKey' | 'scope' | 'onMutate'
>

/** Puts a caller's options over a hook's own; both `onSuccess` run, the hook's first. */
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
