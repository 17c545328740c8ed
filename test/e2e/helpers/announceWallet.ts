import type { BrowserContext, Page } from 'playwright'
import { ProviderError } from '../../helpers/scriptedWallet.js'
import type { OutsideWallet } from './outsideWallet.js'

type Answer = { result: unknown } | { error: { code: number; message: string } }
type Detail = { event: string; value: unknown }

/** The wallet's name in the list of wallets. */
export const walletName = 'Outside wallet'
const rdns = 'test.outside.wallet'
const eventName = 'outside-wallet'

const toAnswer = async (wallet: OutsideWallet, call: { method: string }): Promise<Answer> => {
  try {
    return { result: await wallet.request(call) }
  } catch (error) {
    const code = error instanceof ProviderError ? error.code : -32603
    return { error: { code, message: error instanceof Error ? error.message : String(error) } }
  }
}

/** Runs in every page: the provider that the page sees, and its announcement (EIP-6963). */
const announce = (given: { name: string; rdns: string; eventName: string }): void => {
  type Listener = (value: unknown) => void
  const listeners = new Map<string, Set<Listener>>()
  const ask = Reflect.get(window, 'askOutsideWallet') as (call: unknown) => Promise<Answer>
  const provider = {
    request: async (call: unknown): Promise<unknown> => {
      const answer = await ask(call)
      if ('result' in answer) return answer.result
      throw Object.assign(new Error(answer.error.message), { code: answer.error.code })
    },
    on: (event: string, listener: Listener) =>
      void listeners.set(event, (listeners.get(event) ?? new Set()).add(listener)),
    removeListener: (event: string, listener: Listener) => void listeners.get(event)?.delete(listener),
  }
  window.addEventListener(given.eventName, (message) => {
    const { event, value } = (message as CustomEvent<Detail>).detail
    for (const listener of listeners.get(event) ?? []) listener(value)
  })
  const icon = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>'
  const info = { uuid: '00000000-0000-4000-8000-000000000001', name: given.name, icon, rdns: given.rdns }
  const detail = Object.freeze({ info: Object.freeze(info), provider })
  const tell = () => window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  window.addEventListener('eip6963:requestProvider', tell)
  tell()
}

const send = (page: Page, detail: Detail): Promise<void> =>
  page
    .evaluate(([name, what]) => void window.dispatchEvent(new CustomEvent(name, { detail: what })), [
      eventName,
      detail,
    ] as const)
    // A page that has crashed hears nothing.
    .catch(() => undefined)

/** Announces a wallet to every page of a browser. */
export const announceWallet = async (context: BrowserContext, wallet: OutsideWallet): Promise<void> => {
  await context.exposeBinding('askOutsideWallet', (_source, call) => toAnswer(wallet, call))
  await context.addInitScript(announce, { name: walletName, rdns, eventName })
  wallet.onEvent((event, value) => {
    for (const page of context.pages()) void send(page, { event, value })
  })
}
