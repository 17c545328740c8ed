import { parseAbi } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import {
  approveTransaction,
  createOrder,
  createTransaction,
  createWallet,
  getCredential,
  getTransaction,
  getWallet,
  listWalletTokens,
} from '../../src/api/index.js'
import { verifyCredential } from '../../src/chain/index.js'
import { createTestService, createTestWallet, createTestWalletClient } from '../../src/testing/index.js'
import { listCurrencies } from '../../src/testing/network.js'

const ada = 'email:ada@example.com'
const friend = '0x00000000000000000000000000000000000000f1'
const abi = parseAbi(['function safeTransferFrom(address from, address to, uint256 tokenId)'])

test('error: of two that send one token, the second fails on its chain', async () => {
  const service = createTestService()
  const client = createTestWalletClient({ service, user: ada, canCreate: () => true })
  const token = service.giveToken(ada)
  const { address } = service.getWallet(`${ada}:evm-mpc-wallet`)
  const walletLocator = 'me:evm-mpc-wallet'
  const call = {
    address: token.contractAddress,
    functionName: 'safeTransferFrom',
    abi: [...abi],
    args: [address, friend, token.tokenId],
  }
  const body = { params: { chain: 'base-sepolia', call } } as const
  const first = await createTransaction(client, { walletLocator, body })
  const second = await createTransaction(client, { walletLocator, body })
  service.advance(2_000)
  const read = (transactionId: string) => getTransaction(client, { walletLocator, transactionId })
  expect((await read(first.id)).status).toBe('success')
  expect((await read(second.id)).error).toMatchObject({
    reason: 'execution_reverted',
    revert: { reason: `ERC721InsufficientApproval(${address}, ${token.tokenId})` },
  })
})

test('behavior: a transaction says which currency it sends', async () => {
  const service = createTestService()
  const client = createTestWalletClient({ service, user: ada, canCreate: () => true })
  const walletLocator = 'me:evm-mpc-wallet'
  const { address } = await createWallet(client, { body: { type: 'evm-mpc-wallet' } })
  service.setBalance(address, 'usdc', '20')
  const usdc = listCurrencies('base-sepolia').find(({ currency }) => currency === 'usdc')?.address ?? ''
  const transfer = parseAbi(['function transfer(address to, uint256 amount)'])
  const call = { address: usdc, functionName: 'transfer', abi: [...transfer], args: [friend, '1500000'] }
  const sent = await createTransaction(client, {
    walletLocator,
    body: { params: { chain: 'base-sepolia', call } },
  })
  expect(sent.sendParams).toMatchObject({ token: 'base-sepolia:usdc', params: { amount: '1.5' } })
})

test('error: no signature but the signer’s is taken', async () => {
  const service = createTestService()
  const client = createTestWalletClient({ service, user: ada, canCreate: () => true })
  const walletLocator = 'me:evm-smart-wallet'
  const account = privateKeyToAccount(generatePrivateKey())
  const stranger = createTestWallet({ service })
  const config = { adminSigner: { type: 'evm-keypair', address: account.address } } as const
  await createWallet(client, { body: { type: 'evm-smart-wallet', config } })
  const call = { to: friend, value: '0', data: '0x' } as const
  const body = { params: { chain: 'base-sepolia', calls: [call] } } as const
  const created = await createTransaction(client, { walletLocator, body })
  const message = { raw: created.approvals?.pending?.[0]?.message as `0x${string}` }
  const approve = (signer: string, signature: string) =>
    approveTransaction(client, {
      walletLocator,
      transactionId: created.id,
      body: { approvals: [{ signer, signature }] },
    })
  const signature = await account.signMessage({ message })
  await expect(approve(stranger.address, signature)).rejects.toThrow('not a signer of this transaction')
  const other = await privateKeyToAccount(generatePrivateKey()).signMessage({ message })
  await expect(approve(account.address, other)).rejects.toThrow('not the signature of this signer')
  expect((await approve(account.address, signature)).status).toBe('pending')
})

test('error: a user sees only their own wallet, and a signed-out visitor sees none', async () => {
  const service = createTestService()
  let user: string | undefined = ada
  const client = createTestWalletClient({ service, user: () => user })
  await createWallet(client, { body: { type: 'evm-mpc-wallet' } })
  service.giveToken(ada)
  const identifier = 'me:base-sepolia'
  expect(await listWalletTokens(client, { identifier })).toHaveLength(1)
  user = 'email:bob@example.com'
  expect(await listWalletTokens(client, { identifier })).toEqual([])
  const walletLocator = 'me:evm-mpc-wallet'
  await expect(getWallet(client, { walletLocator })).rejects.toMatchObject({ code: 'api.not-found' })
  user = undefined
  await expect(getWallet(client, { walletLocator })).rejects.toMatchObject({ code: 'api.unauthorized' })
})

test('parameters: canCreate', async () => {
  const client = createTestWalletClient({ service: createTestService(), user: ada, canCreate: () => false })
  await expect(createWallet(client, { body: { type: 'evm-mpc-wallet' } })).rejects.toMatchObject({
    code: 'api.forbidden',
  })
})

test('parameters: canSend', async () => {
  const service = createTestService()
  const client = createTestWalletClient({ service, user: ada, canSend: () => 'Only on Sundays.' })
  await createWallet(client, { body: { type: 'evm-mpc-wallet' } })
  const body = { params: { chain: 'base-sepolia', call: { to: friend, data: '0x' } } } as const
  await expect(createTransaction(client, { walletLocator: 'me:evm-mpc-wallet', body })).rejects.toMatchObject(
    {
      code: 'transaction.not-allowed',
    },
  )
})

test('default: a smart wallet buys, and a credential says who holds what was bought', async () => {
  const service = createTestService()
  const client = createTestWalletClient({ service, user: ada, canCreate: () => true })
  const { address } = await createWallet(client, { body: { type: 'evm-smart-wallet' } })
  service.setBalance(address, 'eth', '1')
  const { order } = await createOrder(service.client, {
    body: {
      recipient: { walletAddress: address },
      payment: { method: 'base-sepolia', currency: 'eth', payerAddress: address },
      lineItems: { collectionLocator: 'kassa:dunes-at-dusk' },
    },
  })
  const transaction = order.payment.preparation?.serializedTransaction ?? ''
  const body = { params: { chain: 'base-sepolia', calls: [{ transaction }] } } as const
  await createTransaction(client, { walletLocator: 'me:evm-smart-wallet', body })
  service.advance(3_000)
  const [bought] = service.getTokens(`${ada}:base-sepolia`)
  expect(service.getOrder(order.orderId).phase).toBe('completed')
  expect(bought?.metadata.name).toBe('Dunes at Dusk #1')
  const credential = await getCredential(client, { nftLocator: bought?.locator ?? '' })
  const verified = await verifyCredential(credential, { issuer: service.issuer, nowMs: service.now() })
  expect(verified).toMatchObject({ holder: address })
})

test('behavior: wallets have the same addresses in every run', async () => {
  const open = async () => {
    const service = createTestService()
    const client = createTestWalletClient({ service, user: ada, canCreate: () => true })
    const { address } = await createWallet(client, { body: { type: 'evm-smart-wallet' } })
    service.giveToken(ada)
    return [address, service.getWallet(`${ada}:evm-mpc-wallet`).address]
  }
  const [first, second] = [await open(), await open()]
  expect(second).toEqual(first)
  expect(new Set(first).size).toBe(2)
})

test('behavior: tokens are given to addresses and users, of the collection that is asked for', () => {
  const service = createTestService()
  const given = service.giveToken(friend, { collectionId: 'coral-lattice', name: 'Reef' })
  expect(given.locator).toBe(`polygon-amoy:${given.contractAddress}:${given.tokenId}`)
  const [token] = service.getTokens(`polygon-amoy:${friend}`)
  expect(token).toMatchObject({ locator: given.locator, metadata: { name: 'Reef' } })
  expect(service.getTokens(`base-sepolia:${friend}`)).toEqual([])
  service.giveToken('userId:42')
  const { linkedUser } = service.getWallet('userId:42:evm-mpc-wallet')
  expect(linkedUser).toBe('userId:42')
  expect(() => service.giveToken('ada')).toThrow('neither an address nor a user')
  expect(() => service.giveToken(friend, { collectionId: 'none' })).toThrow('no collection none')
  expect(() => service.getWallet(`${ada}:evm-mpc-wallet`)).toThrow('not found')
})

test('behavior: what goes wrong without a reason says so', async () => {
  const service = createTestService()
  const client = createTestWalletClient({ service, user: ada })
  service.giveToken(ada)
  const walletLocator = 'me:evm-mpc-wallet'
  const body = { params: { chain: 'base-sepolia', call: { to: friend, data: '0x' } } } as const
  service.refuseNextTransaction()
  await expect(createTransaction(client, { walletLocator, body })).rejects.toMatchObject({
    code: 'transaction.reverted',
    context: { reason: 'reverted without a reason' },
  })
  service.failNextTransaction()
  const { id: transactionId } = await createTransaction(client, { walletLocator, body })
  service.advance(2_000)
  const { status, error } = await getTransaction(client, { walletLocator, transactionId })
  expect([status, error?.revert?.reason]).toEqual(['failed', 'reverted without a reason'])
})

test('behavior: a service that is away is away for the page too', async () => {
  const service = createTestService()
  const told: unknown[] = []
  const onError = (error: unknown) => void told.push(error)
  const client = createTestWalletClient({ service, user: ada, onError })
  const read = () => listWalletTokens(client, { identifier: 'me:base-sepolia' })
  service.refuseNext(503)
  await expect(read()).rejects.toMatchObject({ code: 'api.unavailable' })
  service.refuseNext('unreachable')
  await expect(read()).rejects.toMatchObject({ code: 'api.unavailable' })
  expect(await read()).toEqual([])
  expect(told).toHaveLength(2)
  expect(service.requests.map(({ status }) => status)).toEqual([503, undefined, 200])
})

test('parameters: timings', async () => {
  const service = createTestService({ timings: { seenMs: 5_000, confirmedMs: 20_000 } })
  const client = createTestWalletClient({ service, user: ada })
  const token = service.giveToken(ada)
  const { address } = service.getWallet(`${ada}:evm-mpc-wallet`)
  const call = {
    address: token.contractAddress,
    functionName: 'safeTransferFrom',
    abi: [...abi],
    args: [address, friend, token.tokenId],
  }
  const walletLocator = 'me:evm-mpc-wallet'
  const body = { params: { chain: 'base-sepolia', call } } as const
  const { id: transactionId } = await createTransaction(client, { walletLocator, body })
  const stateAfter = async (ms: number) => {
    service.advance(ms)
    const { status } = await getTransaction(client, { walletLocator, transactionId })
    return `${status}, ${service.getTokens(`base-sepolia:${friend}`).length} arrived`
  }
  expect(await stateAfter(4_999)).toBe('pending, 0 arrived')
  expect(await stateAfter(1)).toBe('pending, 1 arrived')
  expect(await stateAfter(19_999)).toBe('pending, 1 arrived')
  expect(await stateAfter(1)).toBe('success, 1 arrived')
})
