import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, render, screen } from '@testing-library/react'
import {
  Checkout,
  CheckoutProvider,
  type CheckoutProviderProps,
  type CheckoutValue,
  createClient,
  type Messages,
} from 'kassa'
import { StrictMode } from 'react'
import { afterEach, describe, expect, test } from 'vitest'
import { messages as german } from '../../../src/locales/de-DE.js'
import { loadMessages } from '../../../src/locales/index.js'
import { order } from '../../../stories/fixtures/build.js'
import { createCheckout } from '../../../stories/fixtures/checkout.js'
import { steps } from '../../../stories/fixtures/steps.js'

afterEach(cleanup)

const client = createClient({ baseUrl: 'http://127.0.0.1:20001/api' })
const queryClient = new QueryClient()
const inLanguage = (locale: string, changes?: Partial<CheckoutValue>) =>
  createCheckout(order({ locale }), { step: steps.rejected, ...changes })

const mountShop = (messages: CheckoutProviderProps['messages'], value: CheckoutValue) => {
  const shop = (next: CheckoutValue) => (
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <CheckoutProvider client={client} messages={messages}>
          <Checkout.Root value={next}>
            <Checkout.Status />
            <Checkout.Pay />
          </Checkout.Root>
        </CheckoutProvider>
      </QueryClientProvider>
    </StrictMode>
  )
  const { rerender } = render(shop(value))
  return { show: (next: CheckoutValue) => rerender(shop(next)) }
}

const read = () => [screen.getByRole('status').textContent, screen.getByRole('button').textContent]

const inEnglish = (price: string) => ['Not paid yet.', `Pay ${price}`]
const inGerman = ['Noch nicht bezahlt.', 'Jetzt 0,042\u00a0ETH bezahlen']
const inFrench = ['Pas encore payé.', 'Payer 0,042\u00a0ETH']

/** A loader whose languages come, or fail, when the test says so. */
const createLoader = () => {
  const calls: { locale: string; resolve(messages: Messages): void; reject(reason: Error): void }[] = []
  const load = (locale: string) =>
    new Promise<Messages>((resolve, reject) => {
      calls.push({ locale, resolve, reject })
    })
  const settle = (asked: string, how: 'resolve' | 'reject') =>
    act(async () => {
      const messages = await loadMessages(asked)
      for (const { locale, resolve, reject } of calls) {
        if (locale !== asked) continue
        if (how === 'resolve') resolve(messages)
        else reject(new Error('the module did not load'))
      }
    })
  return { load, settle, listAsked: () => [...new Set(calls.map(({ locale }) => locale))] }
}

test('default', () => {
  mountShop(undefined, inLanguage('de-DE'))
  expect(read()).toEqual(inEnglish('0,042\u00a0ETH'))
})

describe('parameters: messages, an object', () => {
  test('some sentences of the app’s own, over English', () => {
    mountShop({ pay: 'Buy for {amount}' }, inLanguage('en-US'))
    expect(read()).toEqual(['Not paid yet.', 'Buy for 0.042\u00a0ETH'])
  })

  test('a whole language', () => {
    mountShop(german, inLanguage('de-DE'))
    expect(read()).toEqual(inGerman)
  })

  test('a language with sentences of the app’s own', () => {
    mountShop({ ...german, notPaid: 'Los geht’s.' }, inLanguage('de-DE'))
    expect(read()).toEqual(['Los geht’s.', inGerman[1]])
  })
})

describe('parameters: messages, a loader', () => {
  test('loadMessages', async () => {
    mountShop(loadMessages, inLanguage('de-DE'))
    expect(await screen.findByText('Noch nicht bezahlt.')).toBe(screen.getByRole('status'))
    expect(read()).toEqual(inGerman)
  })

  test('loadMessages, for another region of a language', async () => {
    mountShop(loadMessages, inLanguage('de-AT'))
    expect(await screen.findByText('Noch nicht bezahlt.')).toBe(screen.getByRole('status'))
  })

  test('loadMessages, for a language without a translation', async () => {
    expect(await loadMessages('tlh')).toBe(await loadMessages('en-US'))
    mountShop(loadMessages, inLanguage('tlh'))
    expect(read()).toEqual(inEnglish('0.042\u00a0ETH'))
  })

  test('behavior: English until the language has come', async () => {
    const { load, settle, listAsked } = createLoader()
    mountShop(load, inLanguage('de-DE'))
    expect(read()).toEqual(inEnglish('0,042\u00a0ETH'))
    await settle('de-DE', 'resolve')
    expect(read()).toEqual(inGerman)
    expect(listAsked()).toEqual(['de-DE'])
  })

  test('behavior: English when it does not come', async () => {
    const { load, settle, listAsked } = createLoader()
    mountShop(load, inLanguage('de-DE'))
    await settle('de-DE', 'reject')
    expect(listAsked()).toEqual(['de-DE'])
    expect(read()).toEqual(inEnglish('0,042\u00a0ETH'))
  })

  test('behavior: nothing is loaded before the order tells its language', async () => {
    const { load, settle, listAsked } = createLoader()
    const { show } = mountShop(load, createCheckout(undefined))
    expect(listAsked()).toEqual([])
    show(inLanguage('de-DE'))
    await settle('de-DE', 'resolve')
    expect(read()).toEqual(inGerman)
  })

  test('behavior: a language that comes after the order changed to another is not spoken', async () => {
    const { load, settle } = createLoader()
    const { show } = mountShop(load, inLanguage('de-DE'))
    show(inLanguage('fr-FR'))
    await settle('fr-FR', 'resolve')
    await settle('de-DE', 'resolve')
    expect(read()).toEqual(inFrench)
  })
})

test('behavior: the messages of a checkout go before the provider’s', async () => {
  const { load, settle } = createLoader()
  mountShop(load, inLanguage('de-DE', { messages: { ...german, notPaid: 'Nur noch bezahlen.' } }))
  expect(read()).toEqual(['Nur noch bezahlen.', inGerman[1]])
  await settle('de-DE', 'resolve')
  expect(read()).toEqual(['Nur noch bezahlen.', inGerman[1]])
})
