import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../scripts/lib/paths.mjs'

const locales = readdirSync(join(root, 'src/locales'))
  .filter((file) => /^[a-z]{2}-[A-Z]{2}\.ts$/.test(file))
  .map((file) => file.slice(0, -'.ts'.length))

/**
 * What an app may import, and how many bytes that may cost it at once: 3 % above what it weighs.
 * @type {{ name: string, code: string, budget?: number }[]}
 */
export const budgets = [
  // 0.2 kB decide whether to follow the stream of an order. What reads it, 1.3 kB, is loaded once an order is shown. That
  // more than one file is loaded later costs 0.2 kB with esbuild, which then tears apart what is loaded at once.
  { name: '{ useOrder }', code: "export { useOrder } from 'kassa'", budget: 4_820 },
  {
    name: '{ useOrder, useCreateOrder, usePayOrder }',
    code: "export { useCreateOrder, useOrder, usePayOrder } from 'kassa'",
    budget: 6_530,
  },
  { name: '{ usePaymentOptions }', code: "export { usePaymentOptions } from 'kassa'", budget: 3_560 },
  // Parts for every state of an order: the wish was 14 kB, which their core alone weighs. `useOrderSession`, which
  // remembers the order in the browser, is half a kilobyte of it, wallets and balances on Solana are 0.8 kB, and the
  // parts of a transfer with their sentences 1.4 kB. The parts about the rules of a sale are 0.7 kB. What refuses a
  // server key and a wrong base URL is 0.3 kB, a buyer's sentence about a chain that the app lacks 0.4 kB, what is said
  // of a refund that is held 0.2 kB, what a second copy of TanStack Query ends in 0.1 kB, and the form that asks where it goes 0.2 kB. The ways to pay
  // are 1.5 kB, with the hook that reads them. The form's checks and the QR code's
  // drawing load when they are shown.
  { name: 'every hook and part', code: "export * from 'kassa'", budget: 35_600 },
  {
    name: '{ CheckoutProvider, Checkout.Panel }',
    code: "import { Checkout } from 'kassa'\nexport const Panel = Checkout.Panel\nexport { CheckoutProvider, createClient } from 'kassa'",
  },
  {
    name: '{ CheckoutProvider, six parts }',
    code: `import { Checkout } from 'kassa'
export const parts = [Checkout.Root, Checkout.Items, Checkout.Total, Checkout.Pay, Checkout.Status, Checkout.Error]
export { CheckoutProvider, createClient } from 'kassa'`,
  },
  // What Solana costs a page that takes payments there. What checks and follows them comes later.
  { name: 'kassa/solana', code: "export { solana } from 'kassa/solana'", budget: 1_650 },
  // What is checked before a signature is 2 kB more, with the passkeys, and is loaded when it is needed. Transfers, lists
  // that grow, and the words for a client of the wrong handler are a tenth of it.
  { name: 'kassa/wallet', code: "export * from 'kassa/wallet'", budget: 11_350 },
  { name: 'kassa/devtools', code: "export * from 'kassa/devtools'" },
  ...locales.map((locale) => ({
    name: `kassa/locales/${locale}`,
    code: `export { messages } from 'kassa/locales/${locale}'`,
    budget: 2_950,
  })),
]
