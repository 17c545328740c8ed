import { injected } from 'wagmi'
import type { DemoProvider } from './provider'

/** The demo wallet's id among wagmi's connectors. */
export const demoWalletId = 'recto-demo'

/** wagmi's connector for the demo wallet: to wagmi it is a wallet like any other. */
export const demoWallet = (getProvider: () => DemoProvider | undefined) =>
  injected({
    target: () => ({
      id: demoWalletId,
      name: 'Demo wallet',
      // A cast on purpose: wagmi types the events and methods of every wallet there is, this one has a few.
      provider: getProvider as never,
    }),
  })
