import { expect, test } from 'vitest'
import type { Edition } from '../lib/shop'
import { describeProduct, writeScriptJson } from '../lib/structuredData'

const edition: Edition = {
  id: 'dunes',
  locator: 'kassa:dunes',
  chain: 'base-sepolia',
  chainLabel: 'Base Sepolia',
  standard: 'ERC-721',
  name: 'Dunes',
  description: 'Sand.',
  imageUrl: 'https://service.example/ipfs/dunes',
  price: '18.50',
  currency: 'usdc',
  currencies: undefined,
  fiat: undefined,
  supplyLimit: 250,
  available: 12,
  sale: undefined,
}

test('default', () => {
  expect(describeProduct(edition, 'https://shop.example/editions/dunes')).toMatchObject({
    '@type': 'Product',
    name: 'Dunes',
    description: 'Sand.',
    image: 'https://service.example/ipfs/dunes',
    offers: {
      '@type': 'Offer',
      price: '18.50',
      priceCurrency: 'USDC',
      availability: 'https://schema.org/LimitedAvailability',
      url: 'https://shop.example/editions/dunes',
    },
  })
})

test('behavior: what is not known is left out', () => {
  const plain = describeProduct(
    { ...edition, description: '', imageUrl: undefined, available: undefined },
    undefined,
  )
  expect(plain).not.toHaveProperty('description')
  expect(plain).not.toHaveProperty('image')
  expect(plain.offers).not.toHaveProperty('url')
  expect(plain.offers.availability).toBe('https://schema.org/InStock')
})

test('behavior: a sold-out edition', () => {
  const { offers } = describeProduct({ ...edition, available: 0 }, undefined)
  expect(offers.availability).toBe('https://schema.org/SoldOut')
})

test('behavior: a name cannot end its script', () => {
  const name = '</script><script>alert(1)</script><!--'
  const page = document.createElement('div')
  const json = writeScriptJson(describeProduct({ ...edition, name }, undefined))
  page.innerHTML = `<script type="application/ld+json">${json}</script>`
  expect(page.querySelectorAll('script')).toHaveLength(1)
  expect(JSON.parse(page.textContent ?? '').name).toBe(name)
  expect(json).not.toContain('<')
})
