import {
  BalanceList,
  CredentialAnswer,
  Transaction,
  TransactionList,
  Wallet,
  WalletTokenList,
} from 'kassa/schema'
import { type Abi, type Address, encodeFunctionData, getAddress, type Hex, parseAbi, zeroAddress } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { packOperation } from '#adapters/chains/evm/accounts/userOperation.js'
import { EntryPoint } from '#adapters/chains/evm/artifacts/EntryPoint.js'
import { walletDeployments } from '#adapters/chains/evm/connection/addresses.js'
import { createHandlers } from '#entry/createHandlers.js'
import { createCaller } from './helpers/createCaller.js'
import { createPasskey } from './helpers/createPasskey.js'
import { createTestChain } from './helpers/createTestChain.js'
import { createTestService, type TestService } from './helpers/createTestService.js'
import { type ReceivedCredential, verifyCredential } from './helpers/verifyCredential.js'

const tokenAbi = parseAbi([
  'function mint(address to, uint256 amount)',
  'function transfer(address to, uint256 amount) returns (bool)',
  'function balanceOf(address owner) view returns (uint256)',
  'error ERC20InsufficientBalance(address sender, uint256 balance, uint256 needed)',
])
const nftAbi = parseAbi([
  'function ownerOf(uint256) view returns (address)',
  'function safeTransferFrom(address from, address to, uint256 tokenId)',
])
const chain = 'base-sepolia'
const v1 = '/api/2022-06-09'
const entryPoint = walletDeployments.entryPoint.address

let world: Awaited<ReturnType<typeof createTestChain>>
let service: TestService
let usdc: Address
beforeAll(async () => {
  world = await createTestChain()
  usdc = getAddress(world.chain.currencies.find(({ currency }) => currency === 'usdc')?.address ?? '')
  service = await createTestService({ chains: [world.chain], handlers: createHandlers })
})
afterAll(async () => {
  await service.close()
  await world.close()
})

const ask = (status: number, method: string, path: string, body?: unknown) =>
  createCaller(service).ask(status, method, path, body)
const createWallet = async (body: object): Promise<Wallet> =>
  z.parse(Wallet, await ask(201, 'POST', `${v1}/wallets`, body))
const pathOf = ({ address }: Wallet) => `${v1}/wallets/${address}/transactions`
const getTransaction = async (wallet: Wallet, id: string) =>
  z.parse(Transaction, await ask(200, 'GET', `${pathOf(wallet)}/${id}`))
const create = async (wallet: Wallet, params: object) =>
  z.parse(Transaction, await ask(201, 'POST', pathOf(wallet), { params: { chain, ...params } }))
/** Waits until a transaction has ended. */
const settle = async (wallet: Wallet, { id }: Transaction) => {
  const isOver = async () => /success|failed/.test((await getTransaction(wallet, id)).status)
  await expect.poll(isOver, { interval: 50 }).toBe(true)
  return getTransaction(wallet, id)
}
const operationOf = (transaction: Transaction) => {
  if (transaction.walletType !== 'evm-smart-wallet') throw new Error('no operation')
  return transaction.onChain
}
const someone = () => privateKeyToAccount(generatePrivateKey()).address
const tokensOf = (owner: string) => world.tokensOf(owner, 'usdc')
const mintTo = (to: string, amount: string) => ({
  address: usdc,
  functionName: 'mint',
  abi: tokenAbi,
  args: [to, amount],
})
const transferTo = (to: string, amount: string) => ({
  address: usdc,
  functionName: 'transfer',
  abi: tokenAbi,
  args: [to, amount],
})
const hasCode = async (address: string) =>
  (await world.client.getCode({ address: getAddress(address) })) !== undefined

/** Reads the EntryPoint's event of an operation, without the service's help. */
const readOperationEvent = async (hash: string) => {
  const logs = await world.client.getContractEvents({
    address: entryPoint,
    abi: EntryPoint.abi as Abi,
    eventName: 'UserOperationEvent',
    fromBlock: 0n,
    args: { userOpHash: hash },
  })
  return logs.map((log) => ({ txId: log.transactionHash, ...(log as { args?: object }).args }))
}

test('default: a custodial wallet is created, found, funded, and deployed by its first operation', async () => {
  const linkedUser = 'email:Ada@Example.com'
  const wallet = await createWallet({ type: 'evm-smart-wallet', linkedUser })
  expect(await ask(200, 'POST', `${v1}/wallets`, { type: 'evm-smart-wallet', linkedUser })).toEqual(wallet)
  for (const locator of [
    wallet.address,
    wallet.address.toLowerCase(),
    'email:ada@example.com:evm-smart-wallet',
  ]) {
    expect(await ask(200, 'GET', `${v1}/wallets/${encodeURIComponent(locator)}`)).toEqual(wallet)
  }
  expect(await hasCode(wallet.address)).toBe(false)

  const balances = `/api/v1-alpha2/wallets/${wallet.address}/balances`
  const funded = await ask(201, 'POST', balances, { amount: 12.5, token: 'usdc', chain })
  expect(z.parse(BalanceList, funded)).toMatchObject([
    { token: 'usdc', decimals: 6, balances: { [chain]: '12500000', total: '12500000' } },
  ])
  expect(await tokensOf(wallet.address)).toBe(12_500_000n)
  expect(await ask(200, 'GET', `${balances}?tokens=usdc&chains=${chain}`)).toEqual(funded)

  const friend = someone()
  const created = await create(wallet, { calls: [transferTo(friend, '2500000')] })
  expect(created.status).toBe('pending')
  const ended = await settle(wallet, created)
  expect(ended).toMatchObject({ status: 'success', onChain: { txId: expect.stringMatching(/^0x/) } })
  expect(await tokensOf(friend)).toBe(2_500_000n)
  expect(await tokensOf(wallet.address)).toBe(10_000_000n)
  expect(await hasCode(wallet.address)).toBe(true)

  const { userOperation, userOperationHash, txId } = operationOf(ended)
  expect(await readOperationEvent(userOperationHash)).toMatchObject([
    { txId, sender: wallet.address, nonce: 0n, success: true, paymaster: zeroAddress },
  ])
  const hash = await world.client.readContract({
    address: entryPoint,
    abi: EntryPoint.abi as Abi,
    functionName: 'getUserOpHash',
    args: [packOperation(userOperation)],
  })
  expect(userOperationHash).toBe(hash)
  expect(await ask(200, 'GET', pathOf(wallet))).toEqual({ transactions: [ended] })
})

test('default: the three shapes of calls are one operation, including an order’s own payment', async () => {
  const wallet = await createWallet({ type: 'evm-smart-wallet' })
  await ask(200, 'PUT', `${v1}/collections/prints`, {
    chain,
    metadata: { name: 'Prints', description: 'A print', imageUrl: 'ipfs://print', symbol: 'P' },
    payments: { price: '0.01', currency: 'eth', recipientAddress: someone() },
  })
  await world.client.setBalance({ address: getAddress(wallet.address), value: 10n ** 18n })
  const { order } = z.parse(
    z.looseObject({ order: z.looseObject({ orderId: z.string(), payment: z.looseObject({}) }) }),
    await ask(201, 'POST', `${v1}/orders`, {
      recipient: { walletAddress: wallet.address },
      payment: { method: chain, currency: 'eth', payerAddress: wallet.address },
      lineItems: { collectionLocator: 'kassa:prints' },
    }),
  )
  const { preparation } = z.parse(
    z.looseObject({ preparation: z.looseObject({ serializedTransaction: z.string() }) }),
    order.payment,
  )
  const friend = someone()
  const calls = [
    mintTo(friend, '7'),
    { to: friend, value: '12345', data: '0x' },
    { transaction: preparation.serializedTransaction },
  ]
  const ended = await settle(wallet, await create(wallet, { calls }))
  expect(ended).toMatchObject({ status: 'success', params: { calls } })
  expect(await tokensOf(friend)).toBe(7n)
  expect(await world.client.getBalance({ address: friend })).toBe(12_345n)
  const spent = 10n ** 18n - (await world.client.getBalance({ address: getAddress(wallet.address) }))
  expect(spent).toBe(10n ** 16n + 12_345n)
})

test('behavior: if one of several calls reverts, none happens: reported at once, or at the end', async () => {
  const wallet = await createWallet({ type: 'evm-smart-wallet' })
  const friend = someone()
  const doomed = { calls: [mintTo(friend, '5'), transferTo(friend, '9')] }
  const refused = await ask(422, 'POST', pathOf(wallet), { params: { chain, ...doomed } })
  expect(refused).toMatchObject({
    error: {
      reason: 'execution_reverted',
      revert: { type: 'contract_call', reason: `ERC20InsufficientBalance(${wallet.address}, 0, 9)` },
    },
    message: expect.stringMatching(/^The transaction reverted during execution/),
  })
  // Both pass the simulation; the second finds nothing left.
  await settle(wallet, await create(wallet, { calls: [mintTo(wallet.address, '9')] }))
  const twins = await Promise.all([create(wallet, doomed), create(wallet, doomed)])
  const ended = await Promise.all(twins.map((one) => settle(wallet, one)))
  expect(ended.map(({ status }) => status).sort()).toEqual(['failed', 'success'])
  const failed = ended.find(({ status }) => status === 'failed')
  expect(failed).toMatchObject({
    error: {
      reason: 'execution_reverted',
      revert: { type: 'contract_call', reason: `ERC20InsufficientBalance(${wallet.address}, 0, 9)` },
    },
    onChain: { txId: expect.stringMatching(/^0x/) },
  })
  expect(await tokensOf(friend)).toBe(14n)
})

test('default: an account approves, a passkey approves; the wallet has its predicted address', async () => {
  const owner = privateKeyToAccount(generatePrivateKey())
  const passkey = createPasskey()
  const signers = [
    {
      adminSigner: { type: 'evm-keypair', address: owner.address },
      approve: async (message: string) => ({
        signer: owner.address,
        signature: await owner.signMessage({ message: { raw: message as Hex } }),
      }),
    },
    {
      adminSigner: { type: 'evm-passkey', id: 'test', name: 'Laptop', publicKey: passkey.publicKey },
      approve: async (message: string) => passkey.approve(message),
    },
  ]
  for (const { adminSigner, approve } of signers) {
    const wallet = await createWallet({ type: 'evm-smart-wallet', config: { adminSigner } })
    const friend = someone()
    for (const isDeployed of [false, true]) {
      expect(await hasCode(wallet.address)).toBe(isDeployed)
      const created = await create(wallet, { calls: [mintTo(friend, '1'), mintTo(friend, '2')] })
      expect(created.status).toBe('awaiting-approval')
      const [pending] = created.approvals?.pending ?? []
      const approvals = [await approve(pending?.message ?? '')]
      const path = `${pathOf(wallet)}/${created.id}/approvals`
      expect(await ask(201, 'POST', path, { approvals })).toMatchObject({ status: 'pending' })
      expect(await settle(wallet, created)).toMatchObject({ status: 'success' })
      await ask(422, 'POST', path, { approvals })
    }
    expect(await tokensOf(friend)).toBe(6n)
  }
})

test('error: input-invalid: an approval of another signer or transaction changes nothing', async () => {
  const owner = privateKeyToAccount(generatePrivateKey())
  const adminSigner = { type: 'evm-keypair', address: owner.address }
  const wallet = await createWallet({ type: 'evm-smart-wallet', config: { adminSigner } })
  const friend = someone()
  const [one, other] = [
    await create(wallet, { calls: [mintTo(friend, '1')] }),
    await create(wallet, { calls: [mintTo(friend, '1')] }),
  ]
  const signature = await owner.signMessage({
    message: { raw: (other.approvals?.pending?.[0]?.message ?? '') as Hex },
  })
  const path = `${pathOf(wallet)}/${one.id}/approvals`
  await ask(400, 'POST', path, { approvals: [{ signer: owner.address, signature }] })
  await ask(400, 'POST', path, { approvals: [{ signer: someone(), signature }] })
  expect(await getTransaction(wallet, one.id)).toEqual(one)
  expect(await tokensOf(friend)).toBe(0n)
})

test('default: a custodial account sends its purchase on; listing and credential follow the chain', async () => {
  const wallet = await createWallet({ type: 'evm-mpc-wallet', linkedUser: 'email:bob@example.com' })
  await ask(200, 'PUT', `${v1}/collections/medals`, { chain, metadata: { name: 'Medals' } })
  const Minted = z.looseObject({ actionId: z.string() })
  const Done = z.looseObject({ status: z.string(), data: z.looseObject({}) })
  const { actionId } = z.parse(
    Minted,
    await ask(200, 'PUT', `${v1}/collections/medals/nfts/first`, {
      recipient: `email:bob@example.com:${chain}`,
      metadata: { name: 'First', image: 'ipfs://first' },
      sendNotification: false,
    }),
  )
  const read = async () => z.parse(Done, await ask(200, 'GET', `${v1}/actions/${actionId}`)).status
  await expect.poll(read).toBe('succeeded')

  const list = async (identifier: string) =>
    z.parse(
      WalletTokenList,
      await ask(200, 'GET', `${v1}/wallets/${encodeURIComponent(identifier)}/nfts?page=1&perPage=10`),
    )
  const [held, ...others] = await list(`email:bob@example.com:${chain}`)
  expect(others).toEqual([])
  expect(held).toMatchObject({ chain, tokenId: '1', tokenStandard: 'ERC-721', metadata: { name: 'First' } })
  const contract = getAddress(held?.contractAddress ?? '')
  const ownerOf = () =>
    world.client.readContract({ address: contract, abi: nftAbi, functionName: 'ownerOf', args: [1n] })
  expect(await ownerOf()).toBe(wallet.address)
  const credential = async () =>
    z.parse(
      CredentialAnswer,
      await ask(200, 'GET', `/api/v1-alpha1/nfts/${encodeURIComponent(held?.locator ?? '')}/credentials`),
    ).value
  expect((await credential()).credentialSubject.id).toBe(`did:pkh:eip155:84532:${wallet.address}`)

  const friend = someone()
  const call = {
    address: contract,
    functionName: 'safeTransferFrom',
    abi: nftAbi,
    args: [wallet.address, friend, '1'],
  }
  const sent = await create(wallet, { call })
  expect(sent).toMatchObject({ walletType: 'evm-mpc-wallet', status: 'pending', params: { call, chain } })
  const ended = await settle(wallet, sent)
  expect(ended).toMatchObject({
    status: 'success',
    onChain: {
      call: {
        to: contract,
        data: encodeFunctionData({
          abi: nftAbi,
          functionName: 'safeTransferFrom',
          args: [getAddress(wallet.address), friend, 1n],
        }),
      },
    },
  })
  expect(await ownerOf()).toBe(friend)
  expect(await list(`email:bob@example.com:${chain}`)).toEqual([])
  expect(await list(`${chain}:${friend}`)).toMatchObject([{ tokenId: '1' }])
  const passed = await credential()
  expect(passed.credentialSubject.id).toBe(`did:pkh:eip155:84532:${friend}`)
  const terms = { issuer: privateKeyToAccount(service.deps.config.operatorKey).address, nowMs: Date.now() }
  expect(await verifyCredential(passed as unknown as ReceivedCredential, terms)).toMatchObject({
    owner: expect.stringContaining(friend),
  })
  // It belongs to another holder now.
  expect(await ask(422, 'POST', pathOf(wallet), { params: { call, chain } })).toMatchObject({
    error: { reason: 'execution_reverted', revert: { type: 'contract_call' } },
  })
  const { transactions } = z.parse(TransactionList, await ask(200, 'GET', pathOf(wallet)))
  expect(transactions).toEqual([ended])
})
