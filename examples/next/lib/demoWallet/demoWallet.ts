import { injected } from 'wagmi'
import type { DemoProvider } from './provider'

/** The demo wallet's id among wagmi's connectors. */
export const demoWalletId = 'recto-demo'

/** wagmi's connector for the demo wallet. wagmi treats it like any other wallet. */
export const demoWallet = (getProvider: () => DemoProvider | undefined) =>
  injected({
    target: () => ({
      id: demoWalletId,
      name: 'Demo wallet',
      // The cast is deliberate: wagmi types the events and methods of all wallets, and this one has a few of
      // them.
      provider: getProvider as never,
    }),
  })
