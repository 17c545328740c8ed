import { CSPProvider } from '@base-ui/react/csp-provider'
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { sessionQuery } from './api/session.js'
import { ToastProvider } from './components/Toast.js'
import { isSignedOut } from './lib/describeError.js'
import { router } from './router.js'
import './theme.css'
import './console.css'

/** Shows the sign-in in place of the page once the session has ended. */
const onError = (error: unknown): void => {
  if (isSignedOut(error) && queries.getQueryData(sessionQuery.queryKey)) {
    queries.setQueryData(sessionQuery.queryKey, null)
  }
}

const queries = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: { retry: (failures, error) => failures < 2 && 'retryable' in error && error.retryable === true },
  },
})

const element = document.getElementById('root')
if (element) {
  createRoot(element).render(
    <StrictMode>
      <CSPProvider disableStyleElements>
        <QueryClientProvider client={queries}>
          <ToastProvider>
            <RouterProvider router={router} />
          </ToastProvider>
        </QueryClientProvider>
      </CSPProvider>
    </StrictMode>,
  )
}
