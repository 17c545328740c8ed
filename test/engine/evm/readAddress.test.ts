import { expect, test } from 'vitest'
import { readAddress } from '../../../src/engine/evm/parseAddress.js'

const address = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const digits = address.slice(2)

test.each([address, `0x${digits.toLowerCase()}`, `0x${digits.toUpperCase()}`])('default: %s', (text) => {
  expect(readAddress('to', text)).toBe(address)
})

test.each([
  [
    'a wrong checksum',
    address.replace('C5', 'c5'),
    /^to: 0x\w+: its checksum is wrong, so it may be mistyped\. The right spelling is 0x\w{40}$/,
  ],
  ['the zero address', `0x${'0'.repeat(40)}`, /^to: the zero address has no owner$/],
  ['something else', 'ada', /^to: ada is not an EVM address$/],
])('error: %s', (_, text, message) => {
  expect(() => readAddress('to', text)).toThrow(message)
})
