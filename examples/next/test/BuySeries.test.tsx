import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { BuySeries } from '../components/shop/BuySeries'
import { InEnglish } from './helpers/english'
import { dunes } from './helpers/openCheckout'

vi.mock('../components/shop/SeriesButton', () => {
  throw new Error('the network was lost')
})
afterEach(cleanup)

test('behavior: when its code cannot be loaded, the page says so in its place', async () => {
  const cart = { items: [{ edition: dunes.id, quantity: 1 }] }
  render(
    <InEnglish>
      <BuySeries action={vi.fn()} cart={cart} payment={{ method: 'base-sepolia', currency: 'usdc' }} />
    </InEnglish>,
  )
  expect(await screen.findByText('This button could not be loaded. Reload the page.')).toBeTruthy()
  expect(screen.queryByRole('alert')).toBeNull()
})
