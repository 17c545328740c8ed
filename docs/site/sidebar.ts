import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { DefaultTheme } from 'vitepress'
import { introductions } from '../reference/introductions.mjs'

const errors = readdirSync(fileURLToPath(new URL('../../errors', import.meta.url)))
  .filter((file) => file.endsWith('.md'))
  .map((file) => file.slice(0, -'.md'.length))
  .sort()

/** The pages of the site in the order in which they are read. */
export const sidebar: DefaultTheme.SidebarItem[] = [
  {
    text: 'Begin',
    items: [
      { text: 'Quickstart', link: '/quickstart' },
      { text: 'Concepts', link: '/concepts' },
      { text: 'Vite', link: '/vite' },
      { text: 'Next.js', link: '/nextjs' },
      { text: 'Moving from other kits', link: '/moving' },
    ],
  },
  {
    text: 'Checkout',
    items: [
      { text: 'Hooks and parts', link: '/checkout' },
      { text: 'Recipes', link: '/recipes' },
      { text: 'Styling', link: '/styling' },
      { text: 'Gallery', link: '/gallery' },
      { text: 'Wallets and connectors', link: '/connectors' },
      { text: 'RainbowKit', link: '/rainbowkit' },
      { text: 'Phones', link: '/phones' },
      { text: 'Payments without a network fee', link: '/gasless' },
      { text: 'Sales to software', link: '/x402' },
      { text: 'Solana', link: '/solana' },
      { text: 'Languages', link: '/languages' },
      { text: 'The life of an order', link: '/order-life' },
      { text: 'Testing', link: '/testing' },
    ],
  },
  {
    text: 'Shop',
    items: [
      { text: 'Minting', link: '/minting' },
      { text: 'Rules of a sale', link: '/sales' },
      { text: 'Refunds', link: '/refunds' },
      { text: 'Hold, then capture', link: '/capture' },
      { text: 'Taxes and shipping', link: '/taxes' },
      { text: 'Shipping', link: '/shipping' },
      { text: 'Payment links', link: '/payment-links' },
      { text: 'Webhooks', link: '/webhooks' },
      { text: 'Wallets of your users', link: '/wallets' },
    ],
  },
  {
    text: 'Operation',
    items: [
      { text: 'Security', link: '/security' },
      { text: 'The console', link: '/console' },
      { text: 'Going to production', link: '/going-to-production' },
      { text: 'Growing', link: '/scaling' },
      { text: 'The service', link: '/service' },
      { text: 'Performance', link: '/performance' },
      { text: 'Writing a chain adapter', link: '/chain-adapter' },
      { text: 'Changes', link: '/changes' },
    ],
  },
  {
    text: 'Reference',
    items: [
      { text: 'HTTP API', link: '/reference/http' },
      {
        text: 'Imports',
        link: '/reference/',
        collapsed: true,
        items: Object.keys(introductions).map((name) => ({
          text: name === 'kassa' ? name : `kassa/${name}`,
          link: `/reference/${name}`,
        })),
      },
      {
        text: 'Errors',
        link: '/reference/errors',
        collapsed: true,
        items: errors.map((code) => ({ text: code, link: `/errors/${code}.html` })),
      },
    ],
  },
]
