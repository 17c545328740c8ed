import type { Meta, StoryObj } from '@storybook/react-vite'
import { CheckoutDevtools, type CheckoutDevtoolsProps } from 'kassa/devtools'
import type { Order } from 'kassa/schema'
import { expect, fireEvent, userEvent, waitFor, within } from 'storybook/test'
import { createFreshOrder } from '../fixtures/fresh.js'
import { orders } from '../fixtures/orders.js'
import { StillPanel } from './examples/StillPanel.js'
import { WithDevtools } from './examples/WithDevtools.js'
import { payment } from './payment.js'
import { createSandboxFetch } from './sandboxFetch.js'

const clientSecret = 'a-secret-only-this-browser-holds'

const show = (answers: readonly Order[], devtools: CheckoutDevtoolsProps) => (
  <WithDevtools
    baseUrl="http://127.0.0.1:4000/api"
    orderId={orders.delivering.orderId}
    clientSecret={clientSecret}
    fetch={createSandboxFetch(answers)}
    devtools={devtools}
  />
)

const meta = {
  title: 'Devtools',
  component: CheckoutDevtools,
  parameters: {
    controls: { disable: true },
    // Each page has one panel, so each story is a page of its own.
    docs: { story: { inline: false, height: '40rem' } },
  },
  // A panel that an earlier story opened or closed would stay so.
  beforeEach: () => localStorage.removeItem('kassa.devtools'),
} satisfies Meta

export default meta

/** The panel, which renders in its own shadow root wherever it is placed. */
const findPanel = (): Promise<ReturnType<typeof within>> =>
  waitFor(() => {
    const inside = document
      .querySelector('kassa-devtools')
      ?.shadowRoot?.querySelector<HTMLElement>('.devtools')
    if (!inside) throw new Error('the panel is not there')
    return within(inside)
  })

const openTab = async (name: string) => {
  const panel = await findPanel()
  await userEvent.click(await panel.findByRole('tab', { name }))
  return panel
}

const delivery = [
  orders.paymentInProgress,
  orders.paymentInProgress,
  orders.delivering,
  orders.partlyDelivered,
  orders.completed,
]

/** A button in the corner tells the phase. By keyboard it opens, moves through the tabs, and closes again. */
export const Collapsed: StoryObj = {
  render: () => show([createFreshOrder()], {}),
  play: async () => {
    const panel = await findPanel()
    const selected = () => panel.getByRole('tab', { selected: true })
    const focused = () => document.querySelector('kassa-devtools')?.shadowRoot?.activeElement
    const toggle = await panel.findByRole('button', { name: 'Checkout devtools: payment' })
    toggle.focus()
    await userEvent.click(toggle)
    await waitFor(() => expect(focused()).toBe(selected()))
    fireEvent.keyDown(selected(), { key: 'ArrowRight' })
    await waitFor(() => expect(selected()).toHaveTextContent('Requests'))
    await expect(focused()).toBe(selected())
    fireEvent.keyDown(selected(), { key: 'Escape' })
    await waitFor(() => expect(focused()).toBe(panel.getByRole('button', { name: /Checkout devtools/ })))
    await expect(panel.queryByRole('dialog')).toBe(null)
  },
}

/** What the order went through while it was paid and delivered. */
export const Timeline: StoryObj = {
  render: () => show(delivery, { isOpen: true }),
  play: async () => {
    const panel = await findPanel()
    await waitFor(() => expect(panel.getAllByText('completed').length).toBeGreaterThan(2))
    await expect(document.body.innerHTML).not.toContain(clientSecret)
  },
}

/** Each request and its cost: the second read finds nothing new, and has no body. */
export const Requests: StoryObj = {
  render: () => show(delivery, { isOpen: true }),
  play: async () => {
    const panel = await openTab('Requests')
    await waitFor(() => expect(panel.getAllByText('304').length).toBeGreaterThan(0))
  },
}

/** Where the payment stands. */
export const Payment: StoryObj = {
  render: () => show([createFreshOrder()], { isOpen: true }),
  play: async () => {
    const panel = await openTab('Payment')
    await waitFor(() => expect(panel.getByText('0.042 ETH')).toBeVisible())
  },
}

/** What was checked before the wallet was asked, and the attempt that came of it. */
export const PaymentUnderWay: StoryObj = {
  render: () => <StillPanel snapshot={payment} />,
  play: async () => {
    const panel = await openTab('Payment')
    await expect(panel.getByText('passed at block 41268')).toBeVisible()
    await expect(panel.getByText('pay.dropped')).toBeVisible()
  },
}

/** On a sandbox an order is shown in any state, and released again. */
export const Force: StoryObj = {
  render: () => show([createFreshOrder()], { isOpen: true }),
  play: async () => {
    const panel = await openTab('Force')
    await userEvent.click(await panel.findByRole('button', { name: 'underpaid-refunded' }))
    await waitFor(() => expect(panel.getByText(/^Forced:/)).toBeVisible())
    await expect(panel.getByRole('button', { name: 'Release' })).toBeVisible()
  },
}

/** A page without an order says so. */
export const NoOrder: StoryObj = {
  render: () => show([], { isOpen: true }),
  play: async () => {
    const panel = await openTab('Payment')
    await expect(panel.getByText('There is no order on this page yet.')).toBeVisible()
  },
}

export const InTheDark: StoryObj = {
  globals: { theme: 'dark' },
  render: () => show(delivery, { isOpen: true, theme: 'dark', corner: 'bottom-left' }),
  play: async () => {
    const panel = await findPanel()
    await waitFor(() => expect(panel.getAllByText('completed').length).toBeGreaterThan(2))
  },
}
