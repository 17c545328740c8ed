import { expect, test } from 'vitest'
import { checkRecipient } from '../../lib/wallet/checkRecipient'
import { translate } from '../helpers/english'

const t = translate('send')

const owner = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const other = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'

test('default', () => {
  expect(checkRecipient(` ${other} `, owner, t)).toEqual({ address: other })
})

test('behavior: an address in one case is accepted and shown with its checksum', () => {
  expect(checkRecipient(other.toLowerCase(), owner, t)).toEqual({ address: other })
})

test.each([
  ['', /Enter the address/],
  ['ada@example.com', /begins with 0x/],
  [other.slice(0, -1), /begins with 0x/],
  [`${other}0`, /begins with 0x/],
  [other.replace('f39F', 'f39f'), /checksum/],
  [`0x${'0'.repeat(40)}`, /lost/],
  [owner.toLowerCase(), /already/],
])('error: %j', (text, fault) => {
  expect(checkRecipient(text, owner, t)).toEqual({ fault: expect.stringMatching(fault) })
})
