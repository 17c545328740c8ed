import { writeAuthorization } from 'kassa/engine'
import { recoverTypedDataAddress } from 'viem'
import { beforeEach, expect, test } from 'vitest'
import type { PaymentRequest } from '../lib/demoWallet/confirmations'
import { createDemoProvider, type DemoProvider } from '../lib/demoWallet/provider'
import { baseSepolia } from './helpers/baseSepolia'

const shop = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const token = '0x036CbD53842c5426634e7929541eC2318f3dCF7e'
const network = { ...baseSepolia, tokens: { usdc: { address: token, decimals: 6 } } } as const

let asked: PaymentRequest[]
let isConfirmed: boolean
let wallet: DemoProvider
let payer: `0x${string}`

beforeEach(async () => {
  asked = []
  isConfirmed = true
  const kept = new Map<string, string>()
  wallet = createDemoProvider({
    networks: [network],
    storage: {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
      removeItem: (key) => void kept.delete(key),
    },
    confirm: async (request) => {
      asked.push(request)
      return isConfirmed
    },
  })
  const accounts = await wallet.request({ method: 'eth_requestAccounts' })
  payer = (accounts as `0x${string}`[])[0] ?? shop
})

const write = (kind: 'erc3009' | 'permit' | 'permit2', chainId = network.chainId) =>
  writeAuthorization({
    kind,
    chainId,
    token,
    domain: { name: 'USDC', version: '2' },
    spender: shop,
    payer,
    recipient: shop,
    units: 12_500_000n,
    validBefore: 2_000_000_000n,
    nonce: `0x${'11'.repeat(32)}`,
    permitNonce: 0n,
  })

const sign = (typedData: unknown, signer: string = payer) =>
  wallet.request({ method: 'eth_signTypedData_v4', params: [signer, JSON.stringify(typedData)] })

test.each(['erc3009', 'permit', 'permit2'] as const)(
  'default: %s is signed once its owner confirms',
  async (kind) => {
    const { typedData, permit } = write(kind)
    for (const data of permit ? [permit, typedData] : [typedData]) {
      const signature = (await sign(data)) as `0x${string}`
      expect(await recoverTypedDataAddress({ ...data, signature } as never)).toBe(payer)
      expect(asked.at(-1)).toMatchObject({
        amount: '12.5',
        currency: 'usdc',
        from: payer,
        network: network.label,
      })
    }
    expect(asked.at(-1)?.to).toBe(shop)
  },
)

test('error: 4001 for a payment that its owner declines', async () => {
  isConfirmed = false
  await expect(sign(write('erc3009').typedData)).rejects.toMatchObject({ code: 4001 })
})

test('error: what is no payment of this account on this network is signed by nobody', async () => {
  const { typedData } = write('erc3009')
  const unknown = { ...typedData, domain: { ...typedData.domain, verifyingContract: shop } }
  for (const data of [unknown, { ...typedData, primaryType: 'Vote' }, {}, null, 'a text']) {
    await expect(sign(data)).rejects.toMatchObject({ code: 4200 })
  }
  await expect(sign(typedData, shop)).rejects.toMatchObject({ code: 4100 })
  await expect(sign(write('erc3009', 1).typedData)).rejects.toMatchObject({ code: 4901 })
  await wallet.request({ method: 'wallet_revokePermissions' })
  await expect(sign(typedData)).rejects.toMatchObject({ code: 4100 })
  expect(asked).toEqual([])
})
