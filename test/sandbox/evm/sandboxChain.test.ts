import { sandboxChain } from 'kassa/sandbox'
import { baseSepolia, fantom } from 'viem/chains'
import { expect, test } from 'vitest'

test.each(['http://localhost:4000/api', 'http://localhost:4000/api/', 'http://localhost:4000'])(
  'default: %s',
  (baseUrl) => {
    const chain = sandboxChain(baseSepolia, { baseUrl })
    expect(chain.id).toBe(84532)
    expect(chain.rpcUrls.default.http).toEqual(['http://localhost:4000/rpc/base-sepolia'])
  },
)

test('behavior: links to the sandbox’s explorer, and bundles no reads', () => {
  expect(baseSepolia).toMatchObject({ blockExplorers: {}, contracts: {} })
  const chain = sandboxChain(baseSepolia, { baseUrl: 'http://localhost:4000/api' })
  expect(chain.blockExplorers?.default.url).toBe('http://localhost:4000/sandbox/explorer/base-sepolia')
  expect(chain).not.toHaveProperty('contracts')
})

test('error: a chain that nothing is sold on', () => {
  expect(() => sandboxChain(fantom, { baseUrl: 'http://localhost:4000/api' })).toThrow(
    expect.objectContaining({ code: 4902, message: expect.stringContaining('Fantom') }),
  )
})
