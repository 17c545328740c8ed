import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { isSignedOut } from '../lib/describeError.js'
import { sessionQuery } from './session.js'

/** Creates what the pages read by. Once a request says that the session has ended, there is no session. */
export const createQueries = (): QueryClient => {
  const onError = (error: unknown): void => {
    if (isSignedOut(error) && queries.getQueryData(sessionQuery.queryKey)) {
      queries.setQueryData(sessionQuery.queryKey, null)
    }
  }
  const queries = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        retry: (failures, error) => failures < 2 && 'retryable' in error && error.retryable === true,
      },
    },
  })
  return queries
}
