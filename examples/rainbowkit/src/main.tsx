import { ConnectButton, connectorsForWallets, RainbowKitProvider, type Wallet } from '@rainbow-me/rainbowkit'
import '@rainbow-me/rainbowkit/styles.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Checkout, CheckoutProvider, createClient, useCreateOrder, useOrderSession } from 'kassa'
import { openStorage } from 'kassa/chain'
import { getSandboxRules, sandboxChain, sandboxWallet } from 'kassa/sandbox'
import 'kassa/theme.css'
import { createRoot } from 'react-dom/client'
import { baseSepolia } from 'viem/chains'
import { createConfig, createConnector, createStorage, http, useAccount, WagmiProvider } from 'wagmi'

const baseUrl = import.meta.env.VITE_KASSA_BASE_URL

/** The wallet for development, as RainbowKit lists wallets. Replace it by those of `@rainbow-me/rainbowkit/wallets`. */
const sandbox = (): Wallet => ({
  id: 'sandbox',
  name: 'Sandbox wallet',
  iconUrl: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>',
  iconBackground: '#dbe4f0',
  installed: true,
  createConnector: (details) =>
    createConnector((config) => ({ ...sandboxWallet({ baseUrl })(config), ...details })),
})

function Edition() {
  // The order survives a reload for as long as the tab is open.
  const [session, setSession] = useOrderSession()
  const { mutate: createOrder, isPending, error } = useCreateOrder()
  const { address } = useAccount()
  if (session)
    return (
      <Checkout.Root {...session}>
        <Checkout.Items />
        <Checkout.Total />
        <Checkout.Payer />
        <Checkout.Pay />
        <Checkout.Status />
        <Checkout.Error />
        <Checkout.Receipt />
      </Checkout.Root>
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
      {address && (
        <button type="button" disabled={isPending} onClick={() => buy(address)}>
          {isPending ? 'Opening your order…' : 'Buy for 0.012 ETH'}
        </button>
      )}
      <p role="alert">{error?.message}</p>
    </>
  )
}

const root = document.getElementById('root')
if (root) {
  const client = createClient({ baseUrl, apiKey: import.meta.env.VITE_KASSA_CLIENT_KEY })
  const chain = sandboxChain(baseSepolia, { baseUrl })
  const config = createConfig({
    chains: [chain],
    // By itself, wagmi throws in a browser that forbids storage.
    storage: createStorage({ storage: openStorage() }),
    connectors: connectorsForWallets([{ groupName: 'Development', wallets: [sandbox] }], {
      appName: 'My shop',
      projectId: 'your-project-id',
    }),
    transports: { [chain.id]: http() },
  })
  const queryClient = new QueryClient()
  const rules = await getSandboxRules({ baseUrl })
  createRoot(root).render(
    <WagmiProvider config={config}>
      <QueryClientProvider client={queryClient}>
        <RainbowKitProvider>
          <CheckoutProvider client={client} {...rules}>
            <ConnectButton />
            <Edition />
          </CheckoutProvider>
        </RainbowKitProvider>
      </QueryClientProvider>
    </WagmiProvider>,
  )
}
