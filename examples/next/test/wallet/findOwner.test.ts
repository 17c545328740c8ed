import { encodeAbiParameters } from 'viem'
import { afterEach, expect, test, vi } from 'vitest'
import { findOwner } from '../../lib/wallet/findOwner'
import { baseSepolia } from '../helpers/baseSepolia'

const token = { chain: baseSepolia.name, contractAddress: `0x${'c'.repeat(40)}`, tokenId: '7' }
const find = () => findOwner([baseSepolia], token)

const answer = (answered: object, status = 200) =>
  vi.stubGlobal('fetch', async () => Response.json({ jsonrpc: '2.0', id: 1, ...answered }, { status }))
afterEach(() => vi.unstubAllGlobals())

test('default: the wallet that the contract names', async () => {
  const holder = '0xa5cc3c03994DB5b0d9A5eEdD10CabaB0813678AC'
  answer({ result: encodeAbiParameters([{ type: 'address' }], [holder]) })
  expect(await find()).toBe(holder)
})

test('behavior: undefined when the contract refuses or is none', async () => {
  answer({ error: { code: 3, message: 'execution reverted', data: '0x' } })
  expect(await find()).toBeUndefined()
  answer({ result: '0x' })
  expect(await find()).toBeUndefined()
})

test('error: a node that does not answer', async () => {
  answer({}, 503)
  await expect(find()).rejects.toThrow('HTTP request failed')
})

test('behavior: asks nobody about a chain that the shop does not know', async () => {
  expect(await findOwner([], token)).toBeUndefined()
})
