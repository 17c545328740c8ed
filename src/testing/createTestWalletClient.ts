import { type Client, createClient } from '../api/client.js'
import { type CreateWalletHandlerParameters, createWalletHandler } from '../server/createWalletHandler.js'
import type { TestService } from './testService.js'

/** Parameters of {@link createTestWalletClient}. */
export type CreateTestWalletClientParameters = Omit<
  CreateWalletHandlerParameters,
  'baseUrl' | 'apiKey' | 'user' | 'origins' | 'fetch'
> & {
  /** The service whose wallets it opens. */
  service: TestService
  /**
   * The signed-in user, such as `email:ada@example.com`, or a function that returns the user at every call,
   * and undefined when signed out.
   */
  user: string | (() => string | undefined)
}

const origin = 'https://shop.test'

/** Creates a request as a browser sends it from the shop's own page. */
const toRequest = (url: string, init: RequestInit | undefined): Request => {
  const headers = new Headers(init?.headers)
  headers.set('sec-fetch-site', 'same-origin')
  const request = new Request(url, { ...init, headers })
  // DOM implementations in memory keep pages, and so tests, from setting a request's origin.
  Object.defineProperty(request, 'headers', { value: headers })
  return request
}

/**
 * Creates the client of a wallet page for a test, backed by the real handler of `createWalletHandler` and a
 * test service. It starts no server.
 *
 * @returns The `client` for the hooks of `kassa/wallet`.
 * @example
 * ```tsx
 * import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
 * import { createTestService, createTestWalletClient } from 'kassa/testing'
 * import { useWalletTokens } from 'kassa/wallet'
 * import type { Client } from 'kassa/api'
 *
 * const Tokens = ({ client }: { client: Client }) => {
 *   const tokens = useWalletTokens({ client, identifier: 'me:base-sepolia' })
 *   return <p>{tokens.data?.map(({ metadata }) => metadata.name).join()}</p>
 * }
 *
 * const service = createTestService()
 * service.giveToken('email:ada@example.com', { name: 'Dune 7' })
 *
 * export const page = (
 *   <QueryClientProvider client={new QueryClient()}>
 *     <Tokens client={createTestWalletClient({ service, user: 'email:ada@example.com' })} />
 *   </QueryClientProvider>
 * )
 * ```
 */
export const createTestWalletClient = ({
  service,
  user,
  ...options
}: CreateTestWalletClientParameters): Client => {
  const handle = createWalletHandler({
    ...options,
    baseUrl: service.baseUrl,
    apiKey: service.serverKey,
    fetch: service.fetch,
    user: () => (typeof user === 'string' ? user : user()),
  })
  return createClient({
    baseUrl: `${origin}/api/wallet`,
    fetch: async (input, init) => {
      init?.signal?.throwIfAborted()
      return handle(toRequest(String(input), init))
    },
  })
}
