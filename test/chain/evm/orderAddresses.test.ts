import { concatHex, getContractAddress, getCreate2Address, keccak256, stringToHex } from 'viem'
import { describe, expect, test } from 'vitest'
import { getCloneAddress, getDepositAddress, toOrderReference } from '../../../src/chain/index.js'

const factory = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359'

describe('toOrderReference', () => {
  test('default', () => {
    expect(toOrderReference('order')).toBe(keccak256(stringToHex('order')))
  })

  test('behavior: an id that looks like hex is text like any other', () => {
    expect(toOrderReference('0x00')).toBe(keccak256(stringToHex('0x00')))
  })
})

describe('getDepositAddress', () => {
  test('default', () => {
    const implementation = getContractAddress({ from: factory, nonce: 1n })
    // The bytes of OpenZeppelin's Clones, put together here once more.
    const code = concatHex([
      '0x3d602d80600a3d3981f3',
      '0x363d3d373d3d3d363d73',
      implementation,
      '0x5af43d82803e903d91602b57fd5bf3',
    ])
    const address = getCreate2Address({ from: factory, salt: toOrderReference('order'), bytecode: code })
    expect(getDepositAddress(factory, 'order')).toBe(address)
    expect(getCloneAddress(factory, toOrderReference('order'))).toBe(address)
  })

  test('behavior: every order and every factory has its own', () => {
    const addresses = [
      getDepositAddress(factory, 'one'),
      getDepositAddress(factory, 'two'),
      getDepositAddress('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', 'one'),
    ]
    expect(new Set(addresses).size).toBe(3)
  })
})
