import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Checkout, CheckoutProvider, type PaymentRules } from 'kassa'
import { createClient } from 'kassa/api'
import { createRoot } from 'react-dom/client'
import { type Hex, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { baseSepolia } from 'viem/chains'
import { createConfig, WagmiProvider } from 'wagmi'
import { connect } from 'wagmi/actions'
import { scriptedConnector } from '../../test/helpers/scriptedConnector.js'
import { createScriptedWallet } from '../../test/helpers/scriptedWallet.js'

/** Everything a page needs to check out one order with a wallet of its own. */
export type CheckoutParameters = {
  baseUrl: string
  rpcUrl: string
  orderId: string
  clientSecret: string
  privateKey: Hex
  rules: PaymentRules
  /** How long the buyer looks at the wallet's question. */
  signingMs: number
}

/** What the page does and tells when it is asked from outside. */
export type BenchPage = {
  openCheckout(parameters: CheckoutParameters): Promise<void>
  /** Waits until no request to the service is open, twice in a row: an answer may lead to the next question. */
  settle(): Promise<void>
  /** Requests to the chain's node so far; the wallet's own are not the page's. */
  countNode(): number
}

declare global {
  interface Window {
    bench: BenchPage
  }
}

let open = 0
let node = 0

const ask = fetch.bind(globalThis)

// In the place of the browser's own, as in a shop: a client that is given another does without the browser's cache.
globalThis.fetch = async (input, init) => {
  open += 1
  try {
    return await ask(input, init)
  } finally {
    open -= 1
  }
}

const askNode: typeof fetch = (input, init) => {
  node += 1
  return ask(input, init)
}

/** Lets everything else that is due happen first; timers may stand still. */
const yieldTurn = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(undefined)
  })

const settle = async (): Promise<void> => {
  for (let calm = 0; calm < 2; calm = open === 0 ? calm + 1 : 0) await yieldTurn()
}

const openCheckout = async (parameters: CheckoutParameters): Promise<void> => {
  const { rpcUrl, orderId, clientSecret, rules } = parameters
  const wallet = createScriptedWallet({
    account: privateKeyToAccount(parameters.privateKey),
    chainId: baseSepolia.id,
    rpcUrls: { [baseSepolia.id]: rpcUrl },
  })
  wallet.script.onSend = async (send) => {
    await new Promise((resolve) => setTimeout(resolve, parameters.signingMs))
    return send()
  }
  const connector = scriptedConnector(wallet)
  const config = createConfig({
    chains: [baseSepolia],
    connectors: [connector],
    transports: { [baseSepolia.id]: http(rpcUrl, { fetchFn: askNode }) },
    storage: null,
    multiInjectedProviderDiscovery: false,
  })
  await connect(config, { connector })
  const client = createClient({ baseUrl: parameters.baseUrl })
  const root = document.getElementById('root')
  if (!root) throw new Error('The page has no root.')
  createRoot(root).render(
    <WagmiProvider config={config} reconnectOnMount={false}>
      <QueryClientProvider client={new QueryClient()}>
        <CheckoutProvider client={client} {...rules}>
          <Checkout.Root orderId={orderId} clientSecret={clientSecret}>
            <Checkout.Items />
            <Checkout.Total />
            <Checkout.Expiry />
            <Checkout.Pay />
            <Checkout.Status />
            <Checkout.Error />
            <Checkout.Receipt />
          </Checkout.Root>
        </CheckoutProvider>
      </QueryClientProvider>
    </WagmiProvider>,
  )
}

window.bench = { openCheckout, settle, countNode: () => node }
