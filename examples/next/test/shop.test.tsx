import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import EditionPage from '../app/editions/[id]/page'
import { EditionCard } from '../components/shop/EditionCard'
import { getEdition } from '../lib/shop'
import { InEnglish } from './helpers/english'

vi.mock('next/headers', () => ({ headers: async () => new Headers() }))
vi.mock('../lib/language/getLanguage', () => ({ getLanguage: async () => 'en' }))
// The build compiles the sentences for the pages; here they are as they were written.
vi.mock('../lib/language/getTranslate', async () => {
  const { translate } = await import('./helpers/english')
  return { getTranslate: async (namespace: Parameters<typeof translate>[0]) => translate(namespace) }
})
vi.mock('next/navigation', () => ({
  useRouter: () => ({ push: () => undefined }),
  notFound: () => {
    throw new Error('not found')
  },
}))
vi.mock('../app/editions/[id]/buy', () => ({ buy: async () => ({}) }))

/** A collection as a merchant makes it in the console, with a name and a price and nothing else. */
const tea = {
  id: 'tea',
  locator: 'kassa:tea',
  chain: 'base-sepolia',
  standard: 'erc-1155',
  name: 'tea of the hills',
  description: '',
  imageUrl: '',
  price: '0.02',
  currency: 'eth',
  currencies: ['eth'],
  supplyLimit: null,
}
const usdc = { address: `0x${'c'.repeat(40)}`, decimals: 6 }
const networks = { 'base-sepolia': { rpcPath: '/rpc', tokens: { usdc } } }

beforeEach(() => vi.stubGlobal('fetch', async () => Response.json({ chains: networks, collections: [tea] })))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('default: a new collection has a card, which shows a letter in place of a picture and links to its page', async () => {
  const edition = await getEdition('tea')
  if (!edition) throw new Error('It is not on sale.')
  render(await EditionCard({ edition, isFirst: false }), { wrapper: InEnglish })
  screen.getByText('T')
  screen.getByText(/^0\.02\sETH$/)
  screen.getByText('Open edition · Base Sepolia')
  expect(screen.getByRole('link', { name: tea.name }).getAttribute('href')).toBe('/editions/tea')
})

test('behavior: its page says what it is and sells it, for the currencies that it takes', async () => {
  render(await EditionPage({ params: Promise.resolve({ id: 'tea' }) }), { wrapper: InEnglish })
  screen.getByRole('heading', { name: 'tea of the hills' })
  screen.getByText('T', { selector: 'figure *' })
  screen.getByText('ERC-1155, one per picture')
  expect(screen.getByText('Payment').nextElementSibling?.textContent).toBe('ETH')
  screen.getByRole('button', { name: /^Buy for 0\.02\sETH$/ })
  expect(screen.queryByRole('img')).toBeNull()
})

test('error: a collection that is not on sale has no page', async () => {
  await expect(EditionPage({ params: Promise.resolve({ id: 'coffee' }) })).rejects.toThrow('not found')
})
