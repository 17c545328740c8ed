import type { StandardWallet } from '../../src/pay/solana/walletStandard.js'

/**
 * The window of one page, in which wallets announce themselves by the events of Wallet Standard. Only what runs in
 * `inside` sees it.
 */
export const createWindow = () => {
  const target = new EventTarget()
  return {
    inside: <Result>(work: () => Result): Result => {
      const before: unknown = Reflect.get(globalThis, 'window')
      Reflect.set(globalThis, 'window', target)
      try {
        return work()
      } finally {
        if (before === undefined) Reflect.deleteProperty(globalThis, 'window')
        else Reflect.set(globalThis, 'window', before)
      }
    },
    /** Registers a wallet now, and with every app that starts later. */
    announce: (wallet: StandardWallet): void => {
      const register = (api: { register(wallet: StandardWallet): () => void }) => api.register(wallet)
      target.addEventListener('wallet-standard:app-ready', (event) => register(Reflect.get(event, 'detail')))
      target.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: register }))
    },
  }
}
