import { bundlers } from './bundlers.mjs'
import { weigh } from './measure.mjs'

/** @typedef {keyof typeof bundlers} Bundler */

/**
 * What is added to a shop's page: its imports, and the element that shows it.
 * @typedef {{ imports: string, element: string, app?: string }} Addition
 */

/**
 * A shop's page: it reads its catalogue by TanStack Query, and connects a wallet by wagmi.
 * @param {Addition} addition
 */
const writePage = ({ imports, element, app = '' }) => `
import { QueryClient, QueryClientProvider, useMutation, useQuery } from '@tanstack/react-query'
import { createElement as h } from 'react'
import { createRoot } from 'react-dom/client'
import { createConfig, http, useConnect, useConnection, useConnectors, useDisconnect, WagmiProvider } from 'wagmi'
import { base } from 'wagmi/chains'
${imports}
const config = createConfig({ chains: [base], transports: { [base.id]: http() } })
${app}
function Shop({ children }) {
  const catalogue = useQuery({ queryKey: ['catalogue'], queryFn: () => fetch('/catalogue').then((answer) => answer.json()) })
  const { mutate: remember } = useMutation({ mutationFn: (id) => fetch('/likes/' + id, { method: 'PUT' }) })
  const { address } = useConnection()
  const { mutate: connect } = useConnect()
  const { mutate: disconnect } = useDisconnect()
  const [connector] = useConnectors()
  const onClick = () => (address ? disconnect() : connect({ connector }))
  return h('main', null, h('button', { onClick }, address), h('p', { onClick: remember }, catalogue.data?.name), children)
}
createRoot(document.getElementById('root')).render(
  h(WagmiProvider, { config }, h(QueryClientProvider, { client: new QueryClient() }, h(Shop, null, ${element}))),
)
`

/** @param {string} content */
const provide = (content) =>
  `h(CheckoutProvider, { client: createClient({ baseUrl: '/api/kassa' }) }, ${content})`

const six = ['Items', 'Total', 'Pay', 'Status', 'Error']

/** The page without Kassa. */
const bare = writePage({ imports: '', element: 'null' })

/**
 * Pages with Kassa, and how many bytes more than the page without it each may load at once: 3 % above what it weighs.
 * @type {{ name: string, code: string, budgets: Record<Bundler, number> }[]}
 */
export const pages = [
  {
    name: 'hooks: `useOrder`, `useCreateOrder`, `usePayOrder`',
    code: writePage({
      imports:
        "import { CheckoutProvider, createClient, useCreateOrder, useOrder, usePayOrder } from 'kassa'",
      app: `function Order() {
  const order = useOrder({ orderId: '1' })
  const creation = useCreateOrder()
  const payment = usePayOrder({ orderId: '1' })
  return h('button', { onClick: () => (order.data ? payment.pay() : creation.mutate({})) }, payment.step.status)
}`,
      element: provide('h(Order)'),
    }),
    budgets: { esbuild: 16_120, webpack: 12_540, Rolldown: 8_540 },
  },
  {
    name: 'six parts of `kassa/parts`',
    code: writePage({
      imports: `import { CheckoutProvider, createClient } from 'kassa'
import { CheckoutRoot, ${six.map((part) => `Checkout${part}`).join(', ')} } from 'kassa/parts'`,
      element: provide(
        `h(CheckoutRoot, { orderId: '1' }, ${six.map((part) => `h(Checkout${part})`).join(', ')})`,
      ),
    }),
    budgets: { esbuild: 26_900, webpack: 22_480, Rolldown: 18_510 },
  },
  {
    name: '`CheckoutPanel` of `kassa/panel`',
    code: writePage({
      imports: `import { CheckoutProvider, createClient } from 'kassa'
import { CheckoutPanel } from 'kassa/panel'`,
      element: provide("h(CheckoutPanel, { orderId: '1' })"),
    }),
    budgets: { esbuild: 38_100, webpack: 32_400, Rolldown: 28_600 },
  },
  {
    name: '`Checkout.Panel`',
    code: writePage({
      imports: "import { Checkout, CheckoutProvider, createClient } from 'kassa'",
      element: provide("h(Checkout.Panel, { orderId: '1' })"),
    }),
    budgets: { esbuild: 42_300, webpack: 35_790, Rolldown: 31_680 },
  },
]

/**
 * What a page weighs more than the page without Kassa.
 * @typedef {{ atOnce: number, later: number, modules: [path: string, bytes: number][] }} Growth
 */

/**
 * @param {import('./measure.mjs').Size} page
 * @param {import('./measure.mjs').Size} without
 * @returns {Growth}
 */
const compare = (page, without) => ({
  atOnce: page.atOnce - without.atOnce,
  later: page.later - without.later,
  modules: Object.entries(page.modules)
    .map(([path, bytes]) => /** @type {[string, number]} */ ([path, bytes - (without.modules[path] ?? 0)]))
    .filter(([, bytes]) => bytes > 0)
    .sort(([, a], [, b]) => b - a),
})

/**
 * Weighs a page with one bundler, with Kassa and without.
 * @param {Bundler} bundler
 * @param {readonly { code: string }[]} [chosen]
 */
export const growBy = async (bundler, chosen = pages) => {
  const measurePage = async (/** @type {string} */ code) => weigh(await bundlers[bundler](code))
  const without = await measurePage(bare)
  const growths = []
  for (const { code } of chosen) growths.push(compare(await measurePage(code), without))
  return { without, growths }
}

/**
 * Weighs every page with every bundler.
 * @returns {Promise<{ bundler: Bundler, without: import('./measure.mjs').Size, growths: Growth[] }[]>}
 */
export const weighPages = async () => {
  const findings = []
  for (const bundler of /** @type {Bundler[]} */ (Object.keys(bundlers)))
    findings.push({ bundler, ...(await growBy(bundler)) })
  return findings
}
