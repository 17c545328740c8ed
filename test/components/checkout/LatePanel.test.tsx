import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { Checkout } from 'kassa'
import { CheckoutPanel } from 'kassa/panel'
import { type ReactNode, StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createLateStates, type LateStates } from '../../../src/components/checkout/createLateStates.js'
import { PanelContent } from '../../../src/components/checkout/PanelContent.js'
import * as panelStates from '../../../src/components/checkout/panelStates.js'
import { buyer } from '../../../stories/fixtures/build.js'
import { createCheckout } from '../../../stories/fixtures/checkout.js'
import { type OrderName, orders } from '../../../stories/fixtures/orders.js'
import { contracts, Wallet } from '../../../stories/fixtures/wallet.js'
import { hydrate } from '../../helpers/hydrate.js'

afterEach(() => {
  cleanup()
  document.body.replaceChildren()
})

const inWallet = (children: ReactNode) => (
  <Wallet account={buyer} contracts={contracts}>
    {children}
  </Wallet>
)

const show = (name: OrderName) => createCheckout(orders[name], { edit: () => {} })

/** A module that arrives, or does not, when the test says so. */
const createLoad = () => {
  const loads: { arrive(): void; fail(): void }[] = []
  const late = createLateStates(
    () =>
      new Promise((resolve, reject) => {
        loads.push({ arrive: () => resolve(panelStates), fail: () => reject(new Error('no such file')) })
      }),
  )
  return { late, loads }
}

const createLoaded = async (): Promise<LateStates> => {
  const late = createLateStates(() => Promise.resolve(panelStates))
  await late.module.load()
  return late
}

const withStates = ({ states }: LateStates, value: ReturnType<typeof show>) =>
  inWallet(
    <Checkout.Root value={value}>
      <PanelContent titleId="title" fallback={null} states={states} />
    </Checkout.Root>,
  )

/** Renders what may suspend. */
const renderLate = (node: ReactNode) => act(async () => render(node))

/** The HTML without what names elements, and without the marks that React leaves for itself. */
const plain = (html: string): string =>
  html.replaceAll(/<!--.*?-->/g, '').replaceAll(/ (id|for|aria-labelledby|aria-describedby)="[^"]*"/g, '')

const awaited: OrderName[] = [
  'requiresRecipient',
  'requiresPhysicalAddress',
  'requiresEmail',
  'refundNeedsAddress',
  'completed',
]

test('default', async () => {
  await renderLate(inWallet(<CheckoutPanel value={show('completed')} />))
  expect((await screen.findByRole('region', { name: 'Receipt' })).dataset).toMatchObject({ kassa: 'receipt' })
})

test('behavior: every order looks as in `Checkout.Panel`, also in the HTML of a server', async () => {
  const late = await createLoaded()
  const names = Object.keys(orders) as OrderName[]
  expect(names.length).toBeGreaterThan(20)
  for (const name of names) {
    const value = show(name)
    const whole = render(inWallet(<Checkout.Panel value={value} />))
    const html = plain(whole.container.innerHTML)
    whole.unmount()
    const parts = render(withStates(late, value))
    expect(plain(parts.container.innerHTML), name).toBe(html)
    parts.unmount()
    expect(plain(renderToString(withStates(late, value))), name).toBe(
      plain(renderToString(inWallet(<Checkout.Panel value={value} />))),
    )
  }
})

test.for(awaited)('behavior: what a server rendered of %s stays until its state has loaded', async (name) => {
  const value = show(name)
  document.body.innerHTML = `<div>${renderToString(withStates(await createLoaded(), value))}</div>`
  const [container] = document.body.children
  if (!container) throw new Error('no container')
  const read = () => container.querySelector('form, [data-kassa="receipt"]')?.textContent
  const text = read()
  expect(text).toMatch(/\w/)

  const { late, loads } = createLoad()
  const stop = late.module.keepLoading()
  const onRecoverableError = vi.fn()
  const root = await hydrate(container, withStates(late, value), { onRecoverableError })
  expect(read()).toBe(text)
  // A change of the order before it has loaded takes nothing away.
  const changed = { ...value, isRefreshing: true }
  await act(async () => root.render(<StrictMode>{withStates(late, changed)}</StrictMode>))
  expect(read()).toBe(text)
  await act(async () => loads[0]?.arrive())
  expect(read()).toMatch(/\w/)
  expect(onRecoverableError).not.toHaveBeenCalled()
  await act(async () => root.unmount())
  stop()
})

test('behavior: a form is alive once it has loaded', async () => {
  const edit = vi.fn()
  const value = createCheckout(orders.requiresRecipient, { edit })
  const { late, loads } = createLoad()
  const stop = late.module.keepLoading()
  await renderLate(withStates(late, value))
  expect(screen.queryByRole('textbox')).toBeNull()
  await act(async () => loads[0]?.arrive())
  fireEvent.change(screen.getByRole('textbox'), { target: { value: 'ada@example.com' } })
  fireEvent.submit(screen.getByRole('form'))
  expect(edit).toHaveBeenCalledWith({ recipient: { email: 'ada@example.com' } })
  stop()
})

describe('error: api.not-loaded', () => {
  test.for(awaited)('%s says so, and shows once another attempt succeeds', async (name) => {
    const { late, loads } = createLoad()
    const stop = late.module.keepLoading()
    await renderLate(withStates(late, show(name)))
    expect(screen.queryByRole('alert')).toBeNull()
    await act(async () => loads[0]?.fail())
    expect(screen.getByRole('alert').dataset).toMatchObject({ code: 'api.not-loaded', remedy: 'retry' })
    expect(loads).toHaveLength(1)
    await act(async () => window.dispatchEvent(new Event('online')))
    expect(loads).toHaveLength(2)
    await act(async () => loads[1]?.arrive())
    expect(screen.queryByRole('alert')).toBeNull()
    expect(document.querySelector('form, [data-kassa="receipt"]')).not.toBeNull()
    stop()
  })

  test('behavior: a payment under way goes on, and says how far it is', async () => {
    const { late, loads } = createLoad()
    const stop = late.module.keepLoading()
    const { container } = await renderLate(withStates(late, show('paymentInProgress')))
    await act(async () => loads[0]?.fail())
    expect(screen.queryByRole('alert')).toBeNull()
    expect(screen.getByRole('status').textContent).toBe('Confirming payment…')
    await act(async () => window.dispatchEvent(new Event('online')))
    await act(async () => loads[1]?.arrive())
    expect(container.querySelector('[data-kassa="progress"]')).not.toBeNull()
    stop()
  })
})
