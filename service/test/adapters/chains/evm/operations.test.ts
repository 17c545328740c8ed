import { encodeExecution } from 'kassa/engine'
import { encodeErrorResult, encodeFunctionData, getAddress, type Hex, parseAbi, parseTransaction } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readOperationResult } from '#adapters/chains/evm/accounts/operationResult.js'
import { getCreation } from '#adapters/chains/evm/accounts/smartWalletAddress.js'
import { packOperation } from '#adapters/chains/evm/accounts/userOperation.js'
import { EntryPoint } from '#adapters/chains/evm/artifacts/EntryPoint.js'
import { SmartWallet } from '#adapters/chains/evm/artifacts/SmartWallet.js'
import { WalletFactory } from '#adapters/chains/evm/artifacts/WalletFactory.js'
import { walletDeployments } from '#adapters/chains/evm/connection/addresses.js'
import { requireCalls, requireOperations } from '#holdings/transactions/actingWallet.js'
import { createOperationWorld } from '../../../helpers/createOperationWorld.js'
import { startRelay } from '../../../helpers/startRelay.js'

let world: Awaited<ReturnType<typeof createOperationWorld>>

beforeAll(async () => {
  world = await createOperationWorld()
})

afterAll(() => world.close())

const entryPoint = walletDeployments.entryPoint.address
const balanceOf = (address: Hex) => world.client.getBalance({ address })

/** Includes operations through another bundler. */
const bundleElsewhere = async (operations: Parameters<typeof packOperation>[0][]) => {
  const other = await world.createPayer()
  const args = [operations.map(packOperation), other.address] as const
  const raw = await other.sign({
    to: entryPoint,
    data: encodeFunctionData({ ...EntryPoint, functionName: 'handleOps', args }),
  })
  const hash = await world.client.sendRawTransaction({ serializedTransaction: raw })
  const receipt = await world.client.waitForTransactionReceipt({ hash })
  expect(receipt.status).toBe('success')
  return hash
}

/** Deploys a wallet from another account, which any account may do. */
const putInPlace = async ({ wallet }: { wallet: Parameters<typeof getCreation>[0] }) => {
  const args = getCreation(wallet)
  const data = encodeFunctionData({ ...WalletFactory, functionName: 'create', args })
  const other = await world.createPayer()
  const raw = await other.sign({ to: walletDeployments.walletFactory.address, data })
  const hash = await world.client.sendRawTransaction({ serializedTransaction: raw })
  await world.client.waitForTransactionReceipt({ hash })
}

describe('prepareOperation', () => {
  test('default: the hash is the EntryPoint’s, and signing does not change it', async () => {
    const owner = world.createAccountWallet()
    await owner.fund()
    const { operation, hash } = await owner.prepare([world.sendCoins(world.newAddress(), 1n)])
    const read = (signature: string) =>
      world.client.readContract({
        address: entryPoint,
        ...EntryPoint,
        functionName: 'getUserOpHash',
        args: [packOperation({ ...operation, signature })],
      })
    expect(await read('0x')).toBe(hash)
    expect(await read('0x1234')).toBe(hash)
    expect(operation).toMatchObject({ sender: owner.address, maxFeePerGas: '0x0', signature: '0x' })
    expect(world.port.hash({ ...operation, signature: '0x12' })).toBe(hash)
  })

  test('parameters: paymaster and factory are part of the hash', async () => {
    const owner = world.createAccountWallet()
    const { operation, hash } = await owner.prepare([world.mintTokens(owner.address, 1n)])
    const more = {
      ...operation,
      factory: walletDeployments.walletFactory.address,
      factoryData: '0x1234',
      paymaster: world.newAddress(),
      paymasterData: '0xabcd',
      paymasterVerificationGasLimit: '0x10',
      paymasterPostOpGasLimit: '0x20',
    }
    const onChain = await world.client.readContract({
      address: entryPoint,
      ...EntryPoint,
      functionName: 'getUserOpHash',
      args: [packOperation(more)],
    })
    expect(world.port.hash(more)).toBe(onChain)
    expect(onChain).not.toBe(hash)
  })

  test('behavior: several calls are simulated in order', async () => {
    const owner = world.createAccountWallet()
    await owner.prepare([world.mintTokens(owner.address, 5n), world.sendTokens(world.newAddress(), 5n)])
    await expect(
      owner.prepare([world.mintTokens(owner.address, 5n), world.sendTokens(world.newAddress(), 6n)]),
    ).rejects.toThrow('ERC20InsufficientBalance(')
  })

  test.each([
    ['text', encodeErrorResult({ abi: parseAbi(['error Error(string)']), args: ['sold out'] }), 'sold out'],
    [
      'panic',
      encodeErrorResult({ abi: parseAbi(['error Panic(uint256)']), args: [0x11n] }),
      'Panic(0x11): arithmetic overflow',
    ],
    ['an unknown error', '0xdeadbeef' as Hex, 'an unknown error, 0xdeadbeef'],
    ['nothing', '0x' as Hex, 'reverted without a reason'],
  ])('error: %s', async (_, data, reason) => {
    const owner = world.createAccountWallet()
    for (const isInPlace of [false, true]) {
      if (isInPlace) await putInPlace(owner)
      const input = { wallet: owner.wallet, calls: [world.revertWith(data)], nonce: 0n, isSponsored: true }
      expect(await world.port.prepare(input)).toEqual({
        status: 'reverted',
        message: `The transaction reverted during execution: ${reason}`,
        revert: { type: 'contract_call', reason, reasonData: data === '0x' ? '0xd6bda275' : data },
      })
    }
  })

  test('error: one that the caller’s interface declares', async () => {
    const abi = parseAbi(['error SoldOut(uint256 left, (address who, bool late)[] others)'])
    const others = [{ who: entryPoint, late: true }]
    const data = encodeErrorResult({ abi, args: [7n, others] })
    const calls = [world.revertWith(data, abi)]
    const { wallet } = world.createAccountWallet()
    const prepared = await world.port.prepare({ wallet, calls, nonce: 0n, isSponsored: true })
    const reason = `SoldOut(7, [{who: ${entryPoint}, late: true}])`
    expect(prepared).toMatchObject({ status: 'reverted', revert: { reason } })
  })

  test('error: coins that the wallet does not have', async () => {
    const owner = world.createAccountWallet()
    await owner.fund(10n)
    await expect(owner.prepare([world.sendCoins(world.newAddress(), 11n)])).rejects.toThrow(
      'the wallet holds 10 wei, but the calls send 11',
    )
  })

  test('error: gas that the wallet must pay for and cannot', async () => {
    const owner = world.createAccountWallet()
    const input = {
      wallet: owner.wallet,
      calls: [world.mintTokens(owner.address, 1n)],
      nonce: 0n,
      isSponsored: false,
    }
    expect(await world.port.prepare(input)).toMatchObject({
      status: 'reverted',
      revert: {
        type: 'wallet_authorization',
        reason: expect.stringMatching(/^the wallet holds 0 wei, but its gas/),
      },
    })
  })

  test('error: more gas than the operator pays for', async () => {
    // Counts down from 300,000.
    const burner = world.newAddress()
    await world.client.setCode({ address: burner, bytecode: '0x620493e05b600190038060045700' })
    const owner = world.createAccountWallet()
    const calls = [{ to: burner, value: 0n, data: '0x' }]
    await expect(owner.prepare(calls)).rejects.toThrow(
      /it needs \d+ gas, more than the 3000000 that the service pays for/,
    )
    await owner.fund()
    await owner.prepare(calls, { isSponsored: false })
  })

  test('error: calls that need more gas than a transaction may use', async () => {
    const owner = world.createAccountWallet()
    const endless = world.newAddress()
    await world.client.setCode({ address: endless, bytecode: '0x5b5f56' })
    await expect(owner.prepare([{ to: endless, value: 0n, data: '0x' }])).rejects.toThrow(
      'reverted during execution',
    )
  })
})

describe('sendOperations', () => {
  test('default: a missing wallet is deployed, and its calls are made', async () => {
    const owner = world.createAccountWallet()
    await owner.fund(10n)
    const recipient = world.newAddress()
    const operation = await owner.make([world.sendCoins(recipient, 3n)])
    expect(await owner.isInPlace()).toBe(false)
    const results = await owner.include([operation])
    expect(results).toEqual([{ status: 'success', txId: expect.stringMatching(/^0x[0-9a-f]{64}$/) }])
    expect(await balanceOf(recipient)).toBe(3n)
    expect(await owner.isInPlace()).toBe(true)
    const signer = await world.client.readContract({
      address: owner.address,
      ...SmartWallet,
      functionName: 'signer',
    })
    expect(signer).toBe(owner.account.address.toLowerCase())
    const again = await owner.send([await owner.make([world.sendCoins(recipient, 4n)])])
    expect(again).toMatchObject({ status: 'included', results: [{ status: 'success' }] })
    expect(await balanceOf(recipient)).toBe(7n)
  })

  test('parameters: one key is one transaction', async () => {
    const owner = world.createAccountWallet()
    const operation = await owner.make([world.mintTokens(owner.address, 5n)])
    const key = crypto.randomUUID()
    const ends = await Promise.all([1, 2, 3].map(() => owner.send([operation], key)))
    expect(new Set(ends.map((end) => JSON.stringify(end))).size).toBe(1)
    expect(await owner.send([operation], key, world.open())).toEqual(ends[0])
    expect(await world.tokensOf(owner.address, 'usdc')).toBe(5n)
  })

  test('behavior: operations of a wallet that is not deployed yet do not depend on each other', async () => {
    const owner = world.createAccountWallet()
    const [first, second, third] = await Promise.all(
      [1n, 2n, 4n].map((units) => owner.make([world.mintTokens(owner.address, units)])),
    )
    if (!first || !second || !third) throw new Error('nothing was made')
    expect(await owner.send([second])).toMatchObject({ results: [{ status: 'success' }] })
    expect(await owner.send([first, third])).toMatchObject({
      results: [{ status: 'success' }, { status: 'success' }],
    })
    expect(await world.tokensOf(owner.address, 'usdc')).toBe(7n)
  })

  test('behavior: twenty operations in a row are one transaction', async () => {
    const owner = world.createAccountWallet()
    const operations = await Promise.all(
      Array.from({ length: 20 }, (_, at) =>
        owner.make([world.mintTokens(owner.address, 1n)], { nonce: BigInt(at) }),
      ),
    )
    const results = await owner.include(operations)
    expect(results.filter(({ status }) => status === 'success')).toHaveLength(20)
    expect(new Set(results.map(({ txId }) => txId)).size).toBe(1)
    expect(await world.port.getNonce(owner.address, 0n)).toBe(20n)
  })

  test('behavior: a call that reverts undoes the ones before it, and fails its operation only', async () => {
    const owner = world.createAccountWallet()
    const other = world.createAccountWallet()
    const recipient = world.newAddress()
    await other.include([await other.make([world.mintTokens(owner.address, 10n)])])
    const bad = await owner.make([world.sendTokens(recipient, 4n), world.sendTokens(recipient, 5n)])
    const spend = await owner.make([world.sendTokens(world.newAddress(), 6n)])
    const fine = await owner.make([world.sendTokens(recipient, 1n)])
    const sent = await owner.send([spend, bad, fine])
    const reason = `ERC20InsufficientBalance(${owner.address}, 0, 5)`
    expect(sent).toMatchObject({
      status: 'included',
      results: [
        { status: 'success' },
        {
          status: 'failed',
          txId: expect.any(String),
          error: {
            reason: 'execution_reverted',
            message: `The transaction reverted during execution: ${reason}`,
            revert: { type: 'contract_call', reason, reasonData: expect.stringMatching(/^0xe450d38c/) },
          },
        },
        { status: 'success' },
      ],
    })
    expect(await world.tokensOf(recipient, 'usdc')).toBe(1n)
    expect(await world.tokensOf(owner.address, 'usdc')).toBe(3n)
  })

  test('behavior: the errors of the caller’s interface name the revert of an operation', async () => {
    const owner = world.createAccountWallet()
    const abi = parseAbi(['error Late(uint256 by)'])
    const prepared = await owner.prepare([world.mintTokens(owner.address, 1n)])
    const calls = [world.revertWith(encodeErrorResult({ abi, args: [9n] }))]
    const operation = { ...prepared.operation, callData: encodeExecution(calls) }
    const signed = await owner.sign({ operation, hash: world.port.hash(operation) })
    expect(
      await world.port.send(crypto.randomUUID(), {
        operations: [signed],
        errors: [abi],
        wallet: owner.wallet,
      }),
    ).toMatchObject({
      results: [{ status: 'failed', error: { revert: { reason: 'Late(9)' } } }],
    })
  })

  test('error: a nonce that is used or not due, by its position', async () => {
    const owner = world.createAccountWallet()
    const first = await owner.make([world.mintTokens(owner.address, 1n)], { nonce: 0n })
    const instead = await owner.make([world.mintTokens(owner.address, 2n)], { nonce: 0n })
    const early = await owner.make([world.mintTokens(owner.address, 4n)], { nonce: 7n })
    const fine = await owner.make([world.mintTokens(owner.address, 8n)], { nonce: 5n << 64n })
    await owner.send([first])
    const error = {
      reason: 'execution_reverted',
      revert: { type: 'wallet_authorization', reason: 'AA25 invalid account nonce' },
    }
    expect(await owner.send([fine, instead])).toMatchObject({ status: 'refused', index: 1, error })
    expect(await owner.send([early, fine])).toMatchObject({ status: 'refused', index: 0, error })
    expect(await world.tokensOf(owner.address, 'usdc')).toBe(1n)
    expect(await owner.send([fine])).toMatchObject({ status: 'included' })
    expect(await world.tokensOf(owner.address, 'usdc')).toBe(9n)
  })

  test('error: the signature of another signer, or of another operation', async () => {
    const owner = world.createAccountWallet()
    const stranger = world.createAccountWallet()
    const prepared = await owner.prepare([world.mintTokens(owner.address, 1n)])
    const other = await owner.prepare([world.mintTokens(owner.address, 2n)])
    const signatures = [await stranger.approve(prepared.hash), await owner.approve(other.hash), '0x']
    for (const signature of signatures) {
      expect(await owner.send([{ ...prepared.operation, signature }])).toMatchObject({
        status: 'refused',
        index: 0,
        error: { revert: { type: 'wallet_authorization', reason: 'AA24 signature error' } },
      })
    }
    expect(await owner.isInPlace()).toBe(false)
  })

  test('behavior: a node that estimates without a reason is asked by a call', async () => {
    const hush = (body: string, answer: string) => {
      const { error } = JSON.parse(answer) as { error?: object }
      if (!body.includes('eth_estimateGas') || !error) return answer
      return JSON.stringify({ ...JSON.parse(answer), error: { code: 3, message: 'execution reverted' } })
    }
    const relay = await startRelay(await world.node.rpcUrl(), async () => {}, undefined, hush)
    const chain = world.open({ rpcUrl: async () => relay.url, close: relay.close })
    const owner = world.createAccountWallet()
    const { wallet } = owner
    const input = { wallet, calls: [world.sendTokens(world.newAddress(), 1n)], nonce: 0n, isSponsored: true }
    expect(await requireOperations(chain).prepare(input)).toMatchObject({
      status: 'reverted',
      revert: { reason: `ERC20InsufficientBalance(${owner.address}, 0, 1)` },
    })
    const fine = await owner.make([world.mintTokens(owner.address, 1n)])
    const bad = { ...(await owner.make([world.mintTokens(owner.address, 1n)])), signature: '0x' }
    expect(await owner.send([fine, bad], crypto.randomUUID(), chain)).toMatchObject({
      status: 'refused',
      index: 1,
      error: { revert: { reason: 'AA24 signature error' } },
    })
    await relay.close()
  })

  test('behavior: a refusal is the outcome for every caller under its key', async () => {
    const owner = world.createAccountWallet()
    const key = crypto.randomUUID()
    const operation = await owner.make([world.mintTokens(owner.address, 1n)], { nonce: 1n })
    expect(await owner.send([operation], key)).toMatchObject({ status: 'refused' })
    const before = await owner.make([world.mintTokens(owner.address, 2n)], { nonce: 0n })
    await owner.send([before])
    expect(await owner.send([operation], key)).toMatchObject({ status: 'refused' })
    expect(await owner.send([operation])).toMatchObject({ status: 'included' })
  })

  test('behavior: the outcome of some operations under a key does not count for others under it', async () => {
    const owner = world.createAccountWallet()
    const good = await owner.make([world.mintTokens(owner.address, 1n)])
    const bad = { ...(await owner.make([world.mintTokens(owner.address, 1n)])), signature: '0x' }
    const key = crypto.randomUUID()
    expect(await owner.send([bad, good], key)).toMatchObject({ status: 'refused', index: 0 })
    expect(await owner.send([good], key)).toMatchObject({ status: 'included' })
  })

  test('behavior: operations that another sender included count, and the rest are sent without them', async () => {
    const owner = world.createAccountWallet()
    await putInPlace(owner)
    const operations = await Promise.all(
      [1n, 2n, 4n].map((units) => owner.make([world.mintTokens(owner.address, units)])),
    )
    const [first, second] = operations
    if (!first || !second) throw new Error('nothing was made')
    const elsewhere = await bundleElsewhere([second])
    const key = crypto.randomUUID()
    const sent = await owner.send(operations, key)
    expect(sent).toMatchObject({
      status: 'included',
      results: [{ status: 'success' }, { status: 'success', txId: elsewhere }, { status: 'success' }],
    })
    expect(await owner.send(operations, key)).toEqual(sent)
    expect(await owner.send(operations)).toEqual(sent)
    expect(await world.tokensOf(owner.address, 'usdc')).toBe(7n)
  })

  test('behavior: another sender includes operations while the bundle is pending', async () => {
    const owner = world.createAccountWallet()
    await putInPlace(owner)
    const operations = await Promise.all(
      [1n, 2n, 4n].map((units) => owner.make([world.mintTokens(owner.address, units)])),
    )
    const [first] = operations
    if (!first) throw new Error('nothing was made')
    const other = await world.createPayer()
    const args = [[packOperation(first)], other.address] as const
    const data = encodeFunctionData({ ...EntryPoint, functionName: 'handleOps', args })
    const fees = { maxFeePerGas: 10n ** 12n, maxPriorityFeePerGas: 10n ** 11n }
    const raw = await other.sign({ to: entryPoint, data, ...fees })
    await world.client.setAutomine(false)
    const key = crypto.randomUUID()
    const sending = owner.send(operations, key)
    await expect.poll(async () => (await world.client.getTxpoolStatus()).pending).toBe(1)
    const elsewhere = await world.client.sendRawTransaction({ serializedTransaction: raw })
    await world.client.mine({ blocks: 1 })
    await world.client.setAutomine(true)
    const sent = await sending
    expect(sent).toMatchObject({
      status: 'included',
      results: [{ status: 'success', txId: elsewhere }, { status: 'success' }, { status: 'success' }],
    })
    expect(await owner.send(operations, key)).toEqual(sent)
    expect(await world.tokensOf(owner.address, 'usdc')).toBe(7n)
  })

  test('behavior: an inclusion that may still be reverted is waited for', async () => {
    const owner = world.createAccountWallet()
    await putInPlace(owner)
    const operation = await owner.make([world.mintTokens(owner.address, 1n)])
    const patient = world.open({ confirmations: 3 })
    const key = crypto.randomUUID()
    const elsewhere = await bundleElsewhere([operation])
    await expect(owner.send([operation], key, patient)).rejects.toThrow('may still take back')
    await world.client.mine({ blocks: 2 })
    expect(await owner.send([operation], key, patient)).toMatchObject({
      results: [{ status: 'success', txId: elsewhere }],
    })
  })

  test('error: operations of two wallets', async () => {
    const [one, other] = [world.createAccountWallet(), world.createAccountWallet()]
    const operation = await other.make([world.mintTokens(one.address, 1n)])
    await expect(one.send([operation])).rejects.toThrow('of one wallet')
  })

  test('behavior: an operation that reverted in another bundle has failed', async () => {
    const owner = world.createAccountWallet()
    const { operation } = await owner.prepare([world.mintTokens(owner.address, 1n)])
    await putInPlace(owner)
    const bad = { ...operation, callData: encodeExecution([world.revertWith('0xdeadbeef')]) }
    const signed = await owner.sign({ operation: bad, hash: world.port.hash(bad) })
    const txId = await bundleElsewhere([signed])
    expect(await owner.send([signed])).toMatchObject({
      status: 'included',
      results: [{ status: 'failed', txId, error: { revert: { reason: 'an unknown error, 0xdeadbeef' } } }],
    })
  })

  test('behavior: a log that looks like the EntryPoint’s does not count', async () => {
    const owner = world.createAccountWallet()
    const results = await owner.include([await owner.make([world.mintTokens(owner.address, 1n)])])
    const receipt = await world.client.getTransactionReceipt({ hash: results[0]?.txId as Hex })
    const event = receipt.logs.find(
      ({ address, topics }) => address === entryPoint.toLowerCase() && topics.length === 4,
    )
    const hash = event?.topics[1]
    if (!event || !hash) throw new Error('no event')
    const operation = await owner.make([world.mintTokens(owner.address, 1n)])
    expect(readOperationResult(receipt, { operation, hash, errors: [] })).toMatchObject({ status: 'success' })
    const forged = { ...receipt, logs: [{ ...event, address: world.echo }] }
    expect(readOperationResult(forged, { operation, hash, errors: [] })).toBeUndefined()
  })

  test('behavior: a reorganised block takes the operation along, until another block includes it', async () => {
    const owner = world.createAccountWallet()
    const operation = await owner.make([world.mintTokens(owner.address, 5n)])
    const snapshot = await world.client.snapshot()
    const key = crypto.randomUUID()
    const sent = await owner.send([operation], key)
    await world.client.revert({ id: snapshot })
    expect(await world.tokensOf(owner.address, 'usdc')).toBe(0n)
    await world.chain.recover()
    expect(await owner.send([operation], key)).toEqual(sent)
    expect(await world.tokensOf(owner.address, 'usdc')).toBe(5n)
  })

  test.each([
    ['an account', () => world.createAccountWallet()],
    ['a passkey', () => world.createPasskeyWallet()],
  ])('behavior: the wallet of %s that pays for its own gas costs the bundler nothing', async (_, create) => {
    const owner = create()
    await owner.fund()
    for (const isInPlace of [false, true]) {
      expect(await owner.isInPlace()).toBe(isInPlace)
      const operation = await owner.make([world.mintTokens(owner.address, 1n)], { isSponsored: false })
      const before = await balanceOf(world.operator)
      expect(await owner.send([operation])).toMatchObject({ results: [{ status: 'success' }] })
      expect(await balanceOf(world.operator)).toBeGreaterThanOrEqual(before)
    }
    expect(await balanceOf(owner.address)).toBeLessThan(10n ** 18n)
  })

  test('behavior: where data costs more than gas, a wallet that pays for its own gas pays for it too', async () => {
    const owner = world.createAccountWallet()
    await owner.fund()
    const make = () => owner.make([world.mintTokens(owner.address, 1n)], { isSponsored: false })
    const without = await make()
    const oracle = '0x420000000000000000000000000000000000000F'
    // It answers 10^15 wei to every call.
    await world.client.setCode({ address: oracle, bytecode: '0x66038d7ea4c680005f5260205ff3' })
    const withData = await make()
    const sponsored = await owner.make([world.mintTokens(owner.address, 1n)])
    await world.client.setCode({ address: oracle, bytecode: '0x' })
    const gas = BigInt(withData.preVerificationGas) - BigInt(without.preVerificationGas)
    const { baseFeePerGas } = await world.client.getBlock()
    // At the price of a unit of gas, that is at least as much.
    expect(gas * ((baseFeePerGas ?? 0n) + BigInt(withData.maxPriorityFeePerGas))).toBeGreaterThanOrEqual(
      10n ** 15n,
    )
    expect(sponsored.preVerificationGas).toBe(without.preVerificationGas)
    const before = await balanceOf(world.operator)
    await owner.include([withData])
    expect(await balanceOf(world.operator)).toBeGreaterThanOrEqual(before + 10n ** 15n)
  })

  test('behavior: a smart wallet buys by an order’s own transaction', async () => {
    const owner = world.createAccountWallet()
    await owner.fund()
    const orderId = crypto.randomUUID()
    const prepared = await world.chain.preparePayment({
      orderId,
      payer: owner.address,
      currency: 'eth',
      units: 700n,
      deadlineMs: Date.now() + 600_000,
    })
    if (prepared.status !== 'ready') throw new Error(prepared.status)
    const { to, value } = parseTransaction(prepared.serializedTransaction as Hex)
    if (!to) throw new Error('no recipient')
    const calls = requireCalls(world.chain).encode(
      [{ transaction: prepared.serializedTransaction }],
      'params.calls',
    )
    expect(calls).toMatchObject([{ to: getAddress(to), value }])
    const [bought] = await owner.include([await owner.make(calls)])
    const targets = [world.chain.paymentTarget({ orderId, currency: 'eth' })]
    expect(await world.chain.findPayments({ fromBlock: 0n, toBlock: 1_000_000n, targets })).toMatchObject([
      { txId: bought?.txId, payer: owner.address, units: 700n },
    ])
  })
})
