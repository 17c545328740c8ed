import { getAddress, zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { parseAddress } from '../../../src/engine/evm/parseAddress.js'

const address = getAddress('0x71c7656ec7ab88b098defb751b7401b5f6d8976f')

test('default', () => {
  expect(parseAddress(address)).toBe(address)
})

test('behavior: letters of one case have no checksum to check', () => {
  expect(parseAddress(address.toLowerCase())).toBe(address)
  expect(parseAddress(`0x${address.slice(2).toUpperCase()}`)).toBe(address)
  expect(parseAddress(`0x${'1'.repeat(40)}`)).toBe(`0x${'1'.repeat(40)}`)
})

test.each([
  ['another digit', address.replace('7', '8')],
  ['two digits in each other’s place', address.replace('65', '56')],
  ['a letter of the other case', address.replace('C', 'c')],
  ['a digit too few', address.slice(0, -1)],
  ['an account of another chain', '4Nd1mYQzvgV8Vr3Z3nYb7pD6T8K9jF2eqWxABxE1234S'],
  ['the zero address', zeroAddress],
  ['nothing', ''],
])('behavior: refuses %s', (_, text) => {
  expect(parseAddress(text)).toBe(undefined)
})
