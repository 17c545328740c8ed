import { HttpRequestError, hashDomain, type PublicClient, zeroHash } from 'viem'
import { expect, test } from 'vitest'
import { createAbilities } from '#adapters/chains/evm/authorizations/createAbilities.js'
import { readTokenAbilities } from '#adapters/chains/evm/authorizations/readTokenAbilities.js'
import { isNodeFailure } from '#adapters/chains/evm/connection/rpc.js'

const address = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
const chainId = 84_532
const types = {
  EIP712Domain: [
    { name: 'name', type: 'string' },
    { name: 'version', type: 'string' },
    { name: 'chainId', type: 'uint256' },
    { name: 'verifyingContract', type: 'address' },
  ],
} as const
const separatorOf = (name: string, version: string, of = chainId) =>
  hashDomain({ domain: { name, version, chainId: BigInt(of), verifyingContract: address }, types })

type Answers = Readonly<Record<string, unknown>>

/** A token that has the functions that are named. */
const clientOf = (answers: Answers, asked: string[] = []): PublicClient =>
  ({
    readContract: async ({ functionName }: { functionName: string }) => {
      asked.push(functionName)
      if (functionName in answers) return answers[functionName]
      throw new Error(`no ${functionName}`)
    },
  }) as unknown as PublicClient

const read = (answers: Answers) => readTokenAbilities(clientOf(answers), address, chainId)

const usdc = {
  name: 'USD Coin',
  version: '2',
  DOMAIN_SEPARATOR: separatorOf('USD Coin', '2'),
  authorizationState: false,
  nonces: 0n,
}
const none = { domain: undefined, hasTransfers: false, hasPermits: false }

test('default: USDC takes signed transfers and permits', async () => {
  const domain = { name: 'USD Coin', version: '2' }
  expect(await read(usdc)).toEqual({ domain, hasTransfers: true, hasPermits: true })
})

test('behavior: a token with permits alone, and one with neither', async () => {
  const { authorizationState: _, version: _v, ...token } = usdc
  const plain = { ...token, DOMAIN_SEPARATOR: separatorOf('USD Coin', '1') }
  const domain = { name: 'USD Coin', version: '1' }
  expect(await read(plain)).toEqual({ domain, hasTransfers: false, hasPermits: true })
  expect(await read({ name: 'Tether USD' })).toEqual(none)
  expect(await read({})).toEqual(none)
})

test('behavior: a token that tells its domain by ERC-5267', async () => {
  const told = ['0x0f', 'Other name', '3', BigInt(chainId), address, zeroHash, []]
  const token = { ...usdc, eip712Domain: told, DOMAIN_SEPARATOR: separatorOf('Other name', '3') }
  expect(await read(token)).toMatchObject({
    domain: { name: 'Other name', version: '3' },
    hasTransfers: true,
  })
})

test('behavior: a domain that does not give the token’s separator is none', async () => {
  for (const separator of [separatorOf('USD Coin', '9'), separatorOf('USD Coin', '2', 1), zeroHash]) {
    expect(await read({ ...usdc, DOMAIN_SEPARATOR: separator })).toEqual(none)
  }
  const { DOMAIN_SEPARATOR: _, ...silent } = usdc
  expect(await read(silent)).toEqual(none)
})

test('behavior: permits of an older form are none', async () => {
  const older = '0xea2aa0a1be11a07ed86d755c93467f4f82362b452371d1ba94d1715123511acb'
  expect(await read({ ...usdc, PERMIT_TYPEHASH: older })).toMatchObject({ hasPermits: false })
  const standard = '0x6e71edae12b1b97f4d1f60370fef10105fa2faae0126114a169c64845d6126c9'
  expect(await read({ ...usdc, PERMIT_TYPEHASH: standard })).toMatchObject({ hasPermits: true })
})

test('behavior: a node that is away is no token without functions', async () => {
  const error = new HttpRequestError({ url: 'http://node', status: 503 })
  expect(isNodeFailure(error)).toBe(true)
  const client = { readContract: () => Promise.reject(error) } as unknown as PublicClient
  await expect(readTokenAbilities(client, address, chainId)).rejects.toBe(error)
})

test('behavior: the chain is asked once, and again if it was away or the token was changed', async () => {
  const asked: string[] = []
  let isAway = true
  const { abilitiesOf, forgetAbilities } = createAbilities({
    options: { chainId } as never,
    use: (work) => {
      if (isAway) return Promise.reject(new Error('away'))
      return work({ batching: clientOf(usdc, asked) } as never)
    },
  })
  await expect(abilitiesOf(address)).rejects.toThrow('away')
  isAway = false
  await Promise.all([abilitiesOf(address), abilitiesOf(address)])
  await abilitiesOf(address)
  expect(asked).toHaveLength(7)
  forgetAbilities(address)
  await abilitiesOf(address)
  expect(asked).toHaveLength(14)
})
