import type { WalletToken } from 'kassa/schema'
import { expect, test } from 'vitest'
import { describeToken } from '../../lib/wallet/describeToken'
import { translate } from '../helpers/english'

const describeNamed = (name: string, tokenId: string | undefined) => {
  const token: WalletToken = {
    locator: 'token',
    chain: tokenId ? 'base-sepolia' : 'solana',
    tokenId,
    metadata: { name },
  }
  const { name: shown, number } = describeToken(token, translate('wallet'))
  return [shown, number]
}

test.each([
  ['Dunes at Dusk #7', '7', 'Dunes at Dusk', '7'],
  ['Night Ferry #1', undefined, 'Night Ferry', '1'],
  ['Dunes at Dusk', '7', 'Dunes at Dusk', '7'],
  ['Dune 7', '7', 'Dune 7', undefined],
  ['Track #3', '9', 'Track #3', '9'],
])('parameters: %s with the id %s', (name, tokenId, shown, number) => {
  expect(describeNamed(name, tokenId)).toEqual([shown, number])
})
