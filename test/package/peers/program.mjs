// An outside developer's program, among its own packages. It prints what it found.
import { readFileSync } from 'node:fs'
import { MutationObserver, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { Checkout, CheckoutProvider, createClient, usePayOrder } from 'kassa'
import { createOrderMutationOptions, orderQueryKey } from 'kassa/query'
import { orders } from 'kassa/testing'
import {
  createWalletMutationOptions,
  useCreateWallet,
  useTransaction,
  walletQueryOptions,
} from 'kassa/wallet'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { createConfig, http, WagmiProvider } from 'wagmi'
import { baseSepolia } from 'wagmi/chains'

/** @param {string} name */
const readManifest = (name) => JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8'))

const { exports, peerDependencies } = readManifest('kassa')
const versions = Object.keys(peerDependencies)
  .filter((name) => name !== 'typescript')
  .map((name) => `${name}@${readManifest(name).version}`)
const entries = Object.keys(exports)
  .filter((entry) => !/\*|\.(css|json)$/.test(entry))
  .map((entry) => entry.replace('.', 'kassa'))
for (const entry of entries) await import(entry)

const order = orders.awaitingPaymentNative
const wallet = { type: 'evm-mpc-wallet', address: `0x${'a1'.repeat(20)}` }
const walletLocator = 'me:evm-mpc-wallet'
const client = createClient({
  baseUrl: 'http://shop.test/api',
  fetch: async (input) => {
    const answer = String(input).endsWith('/wallets') ? wallet : { order, clientSecret: 'secret' }
    return Response.json(answer, { status: 201 })
  },
})
const queryClient = new QueryClient()
const config = createConfig({ chains: [baseSepolia], transports: { [baseSepolia.id]: http() } })

const Steps = () => {
  const payment = usePayOrder({ orderId: order.orderId })
  const sending = useTransaction({ client, walletLocator })
  const { status } = useCreateWallet({ client })
  return createElement('i', null, `${payment.step.status} ${sending.step.status} ${status}`)
}

const panel = createElement(Checkout.Panel, { orderId: order.orderId, clientSecret: 'secret' })
const provided = createElement(CheckoutProvider, { client }, panel, createElement(Steps))
const queried = createElement(QueryClientProvider, { client: queryClient }, provided)
const html = renderToString(createElement(WagmiProvider, { config }, queried))

// The callbacks of mutations put their answers where the queries find them.
await new MutationObserver(queryClient, createOrderMutationOptions(client)).mutate({ cart: 'poster' })
await new MutationObserver(queryClient, createWalletMutationOptions(client)).mutate({ type: wallet.type })
/** @param {readonly unknown[]} key */
const find = (key) => (queryClient.getQueryData(key) ? 'cached' : 'missing')

console.log(
  JSON.stringify({
    versions,
    entries,
    html,
    order: find(orderQueryKey(client, order.orderId)),
    wallet: find(walletQueryOptions(client, { walletLocator }).queryKey),
  }),
)
queryClient.clear()
process.exit()
