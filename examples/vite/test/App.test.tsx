import { cleanup, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { createTestService, createTestWallet } from 'kassa/testing'
import { StrictMode } from 'react'
import { afterEach, expect, test } from 'vitest'
import { App } from '../src/main'

// The checkout polls at its own interval.
afterEach(() => {
  cleanup()
  sessionStorage.clear()
})

/** Opens the shop with a service in memory and a buyer with a scripted wallet. */
const visit = () => {
  const service = createTestService()
  const wallet = createTestWallet({ service, isConnected: false })
  const user = userEvent.setup()
  const open = () =>
    render(
      <StrictMode>
        <App client={service.client} config={wallet.config} {...service.rules} />
      </StrictMode>,
    )
  const press = async (name: RegExp) => user.click(await screen.findByRole('button', { name }))
  open()
  return { service, wallet, open, press }
}

test('default: sells an edition', async () => {
  const { service, press } = visit()
  await press(/^Connect/)
  await press(/^Buy for/)
  await press(/^Pay 0\.012/)
  await screen.findByRole('button', { name: /^Confirming/ })
  // The payment is mined and the edition is delivered.
  service.advance(3_000)
  await screen.findByText(/^Delivered/)
})

test('behavior: a buyer can buy another edition', async () => {
  const { service, press } = visit()
  await press(/^Connect/)
  await press(/^Buy for/)
  await press(/^Pay 0\.012/)
  await screen.findByRole('button', { name: /^Confirming/ })
  service.advance(3_000)
  await screen.findByText(/^Delivered/)
  await press(/^New order/)
  await press(/^Buy for/)
  await screen.findByRole('button', { name: /^Pay 0\.012/ })
  expect(service.requests.filter(({ path }) => path.endsWith('/orders'))).toHaveLength(2)
})

test('behavior: after a reload the same order continues', async () => {
  const { service, open, press } = visit()
  await press(/^Connect/)
  await press(/^Buy for/)
  await screen.findByRole('button', { name: /^Pay 0\.012/ })
  cleanup()
  open()
  await screen.findByRole('button', { name: /^Pay 0\.012/ })
  expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
})

test('error: a declined payment is not made', async () => {
  const { wallet, press } = visit()
  await press(/^Connect/)
  await press(/^Buy for/)
  await screen.findByRole('button', { name: /^Pay 0\.012/ })
  wallet.rejectNext()
  await press(/^Pay 0\.012/)
  await screen.findByText('Declined in the wallet. Nothing was sent.')
})

test('behavior: each button shows that it works, and declining to connect is no mistake', async () => {
  const { wallet, press } = visit()
  wallet.rejectNext()
  await press(/^Connect/)
  await screen.findByRole('button', { name: /^Connect/ })
  expect(screen.getByRole('alert').textContent).toBe('')
  const held = wallet.holdNext()
  await press(/^Connect/)
  expect((await screen.findByRole<HTMLButtonElement>('button', { name: 'Connecting…' })).disabled).toBe(true)
  held.reject()
})
