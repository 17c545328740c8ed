import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Checkout, CheckoutProvider, createClient, useCreateOrder, useOrderSession } from 'kassa'
import { openStorage } from 'kassa/chain'
import { getSandboxRules, sandboxChain, sandboxWallet } from 'kassa/sandbox'
import 'kassa/theme.css'
import { type ComponentProps, lazy, Suspense, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { baseSepolia } from 'viem/chains'
import {
  createConfig,
  createStorage,
  http,
  useConnect,
  useConnection,
  useConnectors,
  WagmiProvider,
} from 'wagmi'
import './index.css'

// A production build leaves the devtools out.
const Devtools =
  import.meta.env.DEV &&
  lazy(() => import('kassa/devtools').then(({ CheckoutDevtools }) => ({ default: CheckoutDevtools })))

function Edition() {
  // The order survives a reload for as long as the tab is open.
  const [session, setSession] = useOrderSession()
  const { mutate: createOrder, isPending, error } = useCreateOrder()
  const { mutate: connect, isPending: isConnecting, variables: asked, error: refusal } = useConnect()
  const connectors = useConnectors()
  const { address } = useConnection()
  // EIP-1193's code.
  const isDeclined = refusal !== null && 'code' in refusal && refusal.code === 4001
  if (session)
    return (
      <>
        <Checkout.Panel {...session} />
        <button type="button" onClick={() => setSession(undefined)}>
          New order
        </button>
      </>
    )
  const buy = (walletAddress: string) =>
    createOrder(
      {
        lineItems: { collectionLocator: 'kassa:dunes-at-dusk' },
        recipient: { walletAddress },
        payment: { method: 'base-sepolia', currency: 'eth', payerAddress: walletAddress },
      },
      { onSuccess: ({ order: { orderId }, clientSecret }) => setSession({ orderId, clientSecret }) },
    )
  return (
    <>
      <h1>Dunes at Dusk</h1>
      <p>A numbered edition for anyone who has stayed out too long to watch the sky change.</p>
      {address ? (
        <button type="button" disabled={isPending} onClick={() => buy(address)}>
          {isPending ? 'Opening your order…' : 'Buy for 0.012 ETH'}
        </button>
      ) : (
        connectors.map((connector) => (
          <button
            key={connector.uid}
            type="button"
            disabled={isConnecting}
            onClick={() => connect({ connector })}
          >
            {isConnecting && asked.connector === connector ? 'Connecting…' : `Connect ${connector.name}`}
          </button>
        ))
      )}
      {/* Declining in the wallet is no mistake. */}
      <p role="alert">{(error ?? (isDeclined ? null : refusal))?.message}</p>
    </>
  )
}

type AppProps = Omit<ComponentProps<typeof CheckoutProvider>, 'children'> &
  Pick<ComponentProps<typeof WagmiProvider>, 'config'>

/** The whole shop. A test passes its own service and wallet. */
export function App({ config, ...checkout }: AppProps) {
  const [queryClient] = useState(() => new QueryClient())
  return (
    <WagmiProvider config={config}>
      <QueryClientProvider client={queryClient}>
        <CheckoutProvider {...checkout}>
          <main>
            <Edition />
          </main>
          <Suspense>{Devtools && <Devtools />}</Suspense>
        </CheckoutProvider>
      </QueryClientProvider>
    </WagmiProvider>
  )
}

/**
 * Exported beside a component, so that a save during development reloads the page instead of mounting it
 * twice.
 */
export const root = document.getElementById('root')
if (root) {
  const baseUrl = import.meta.env.VITE_KASSA_BASE_URL
  const client = createClient({ baseUrl, apiKey: import.meta.env.VITE_KASSA_CLIENT_KEY })
  const chain = sandboxChain(baseSepolia, { baseUrl })
  // wagmi discovers browser wallets automatically.
  const connectors = [sandboxWallet({ baseUrl })]
  // By itself, wagmi throws in a browser that forbids storage.
  const storage = createStorage({ storage: openStorage() })
  const config = createConfig({ chains: [chain], connectors, storage, transports: { [chain.id]: http() } })
  // While the service is unavailable there are no rules, and the page says so when a visitor buys.
  const rules = await getSandboxRules({ baseUrl }).catch(() => undefined)
  createRoot(root).render(<App client={client} config={config} {...rules} />)
}
