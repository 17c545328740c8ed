import { cleanup, render, screen } from '@testing-library/react'
import { orderFixture } from 'kassa/testing'
import { afterEach, expect, test, vi } from 'vitest'
import { WalletApps } from '../components/checkout/WalletApps'
import { InEnglish } from './helpers/english'

const shop = vi.hoisted(() => ({ origin: '' }))
vi.mock('../lib/useShopOrigin', () => ({ useShopOrigin: () => shop.origin }))

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const open = ({
  isTouch = true,
  origin = 'https://shop.example',
  editions = ['dunes'],
  method = 'base',
} = {}) => {
  shop.origin = origin
  vi.stubGlobal('matchMedia', () => ({ matches: isTouch }))
  render(
    <InEnglish>
      <WalletApps order={{ ...orderFixture(), metadata: { editions } }} method={method} />
    </InEnglish>,
  )
  return Object.fromEntries(
    screen.queryAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')]),
  )
}

test('default: a phone opens the edition, and not the order, in a wallet', () => {
  expect(open()).toEqual({
    MetaMask: 'https://link.metamask.io/dapp/shop.example/editions/dunes',
    'Coinbase Wallet': 'https://go.cb-w.com/dapp?cb_url=https%3A%2F%2Fshop.example%2Feditions%2Fdunes',
    'Trust Wallet':
      'https://link.trustwallet.com/open_url?coin_id=60&url=https%3A%2F%2Fshop.example%2Feditions%2Fdunes',
    Phantom:
      'https://phantom.app/ul/browse/https%3A%2F%2Fshop.example%2Feditions%2Fdunes?ref=https%3A%2F%2Fshop.example',
  })
})

test('behavior: an order of several editions opens the shop', () => {
  expect(open({ editions: ['dunes', 'tea'] }).MetaMask).toBe('https://link.metamask.io/dapp/shop.example/')
})

test('behavior: on Solana, the wallets of Solana', () => {
  expect(Object.keys(open({ method: 'solana' }))).toEqual(['Phantom', 'Solflare'])
})

test.each([
  ['on a computer', { isTouch: false }],
  ['where no wallet could open the shop', { origin: 'http://localhost:3000' }],
])('behavior: nothing %s', (_, options) => {
  expect(open(options)).toEqual({})
})
