import { QueryClient } from '@tanstack/react-query'
import { reconnect } from 'wagmi/actions'
import { createClient, createOrder } from '../../src/api/index.js'
import type { AttemptedAuthorization } from '../../src/chain/evm/attempt.js'
import { createMemoryStorage, createPaymentAttemptStore } from '../../src/chain/index.js'
// Loaded before any clock runs: in a test it is the payment that is looked at, not how it was loaded.
import '../../src/pay/createPayment.js'
import '../../src/pay/evm/authorizations/openAuthorizations.js'
import { type CheckoutEvent, getPayment, type PaymentParameters, type PayStep } from '../../src/query.js'
import {
  type CreateTestServiceParameters,
  createTestService,
  createTestWallet,
  type TestWallet,
} from '../../src/testing/index.js'

/** What a test changes about a buyer who pays by a signature. */
export type GaslessOptions = Pick<CreateTestServiceParameters, 'gasless' | 'quoteTtlMs'> & {
  currency?: string
  /** What the wallet holds of the chain's coin: nothing by default. @units decimal string in whole units */
  coins?: string
  canSignTypedData?: boolean
  /** Stands between the page and the service, for a service that is away or lies. */
  onRequest?: (
    path: string,
    send: () => Promise<Response>,
    init: RequestInit | undefined,
  ) => Promise<Response>
}

type Asked = { method: string; params: unknown }

/** A buyer in front of a shop that sends payments which buyers sign, with an order to pay. */
export const createGaslessBuyer = async (options: GaslessOptions = {}) => {
  const { currency = 'usdc', coins = '0', gasless = true, quoteTtlMs, canSignTypedData } = options
  const service = createTestService({ gasless, quoteTtlMs })
  const wallet: TestWallet = createTestWallet({ service, balance: { eth: coins }, canSignTypedData })
  await reconnect(wallet.config)
  const body = {
    recipient: { walletAddress: wallet.address },
    payment: { method: 'base-sepolia' as const, currency, payerAddress: wallet.address },
    lineItems: { collectionLocator: 'kassa:dunes-at-dusk' },
  }
  const { order, clientSecret } = await createOrder(service.client, { body })
  const { orderId } = order
  const { onRequest = (_path, send) => send() } = options
  const client = createClient({
    baseUrl: service.baseUrl,
    fetch: (input, init) => {
      const { pathname } = new URL(String(input))
      return onRequest(pathname.split('/').at(-1) ?? '', () => service.fetch(input, init), init)
    },
  })
  const storage = createMemoryStorage()
  const events: CheckoutEvent[] = []
  const openPage = () => {
    const queryClient = new QueryClient()
    const payment = getPayment(queryClient, client, orderId)
    const steps: PayStep[] = []
    payment.subscribe(() => steps.push(payment.getStep()))
    const parameters: PaymentParameters = {
      orderId,
      clientSecret,
      config: wallet.config,
      client,
      queryClient,
      rules: service.rules,
      attemptStore: createPaymentAttemptStore(storage),
      onEvent: (event) => void events.push(event),
      now: service.now,
    }
    return { payment, parameters, steps, queryClient }
  }
  const asked = (method: string): Asked[] => wallet.requests.filter((request) => request.method === method)
  return {
    service,
    wallet,
    orderId,
    order,
    client,
    clientSecret,
    events,
    /** Opens a page with nothing remembered but what the browser stores. */
    openPage,
    ...openPage(),
    /** The typed data that the wallet was asked to sign. */
    signed: () =>
      asked('eth_signTypedData_v4').map(({ params }) => JSON.parse((params as string[])[1] ?? '')),
    countSent: () => asked('eth_sendTransaction').length,
    attempts: () => createPaymentAttemptStore(storage).list(orderId),
    authorization: (): AttemptedAuthorization | undefined =>
      createPaymentAttemptStore(storage).list(orderId)[0]?.authorization,
    /** Waits until whatever has an answer has had its effects. */
    settled: () => new Promise<void>((resolve) => setTimeout(resolve, 50)),
    /** How often a signature was posted. */
    countPosts: () => service.requests.filter(({ path }) => path.endsWith('/authorizations')).length,
    /** The order as the service has it, once the blocks are mined and the goods are delivered. */
    deliver: () => {
      service.advance(5_000)
      return service.getOrder(orderId)
    },
  }
}

export type GaslessBuyer = Awaited<ReturnType<typeof createGaslessBuyer>>
