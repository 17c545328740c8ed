import { encodeFunctionData, toFunctionSelector } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packOperation } from '#adapters/chains/evm/accounts/userOperation.js'
import { EntryPoint } from '#adapters/chains/evm/artifacts/EntryPoint.js'
import { walletDeployments } from '#adapters/chains/evm/connection/addresses.js'
import { createOperationWorld } from '../../../helpers/createOperationWorld.js'
import { startRelay } from '../../../helpers/startRelay.js'

let world: Awaited<ReturnType<typeof createOperationWorld>>
beforeAll(async () => {
  world = await createOperationWorld()
})
afterAll(() => world.close())

const getNonce = toFunctionSelector('getNonce(address,uint192)')

/** Includes an operation through another bundler. */
const bundleElsewhere = async (operation: Parameters<typeof packOperation>[0]) => {
  const other = await world.createPayer()
  const args = [[packOperation(operation)], other.address] as const
  const data = encodeFunctionData({ ...EntryPoint, functionName: 'handleOps', args })
  const raw = await other.sign({ to: walletDeployments.entryPoint.address, data })
  const hash = await world.client.sendRawTransaction({ serializedTransaction: raw })
  await world.client.waitForTransactionReceipt({ hash })
  return hash
}

/** Starts a node whose answers to some requests are stale. */
const startLagging = async (isLagging: (body: string) => boolean, stale: unknown) => {
  const state = { isBehind: true }
  const relay = await startRelay(
    await world.node.rpcUrl(),
    async () => {},
    undefined,
    (body, answer) => {
      const { id } = JSON.parse(body) as { id: number }
      return state.isBehind && isLagging(body)
        ? JSON.stringify({ jsonrpc: '2.0', id, result: stale })
        : answer
    },
  )
  return { state, close: relay.close, chain: world.open({ rpcUrl: async () => relay.url }) }
}

const createWallet = async () => {
  const owner = world.createAccountWallet()
  await owner.include([await owner.make([world.mintTokens(owner.address, 1n)])])
  return owner
}

test.each([
  ['does not show what used a nonce', /does not show which operation/, '"eth_getLogs"', []],
  ['shows a nonce as free that is used', /both that a nonce is the next one/, getNonce, undefined],
])('behavior: while a node %s, nothing is refused', async (_, message, part, stale) => {
  const owner = await createWallet()
  const operation = await owner.make([world.mintTokens(owner.address, 2n)])
  const nonce = `0x${BigInt(operation.nonce).toString(16).padStart(64, '0')}`
  const node = await startLagging((body) => body.includes(part), stale ?? nonce)
  const txId = await bundleElsewhere(operation)
  const send = () => owner.send([operation], 'lag', node.chain)
  await expect(send()).rejects.toThrow(message)
  await expect(send()).rejects.toMatchObject({ code: 'chain-unavailable' })
  node.state.isBehind = false
  expect(await send()).toEqual({ status: 'included', results: [{ status: 'success', txId }] })
  await node.close()
})

test('behavior: an operation whose nonce another one used is refused once that one is visible', async () => {
  const owner = await createWallet()
  const nonce = 7n << 64n
  const operation = await owner.make([world.mintTokens(owner.address, 2n)], { nonce })
  const instead = await owner.make([world.mintTokens(owner.address, 4n)], { nonce })
  const node = await startLagging((body) => body.includes('"eth_getLogs"'), [])
  await bundleElsewhere(instead)
  const send = () => owner.send([operation], 'replaced', node.chain)
  await expect(send()).rejects.toMatchObject({ code: 'chain-unavailable' })
  node.state.isBehind = false
  expect(await send()).toMatchObject({ status: 'refused', index: 0 })
  await node.close()
})

test("behavior: nothing is sent while the chain's gas price exceeds a wallet's offer", async () => {
  const owner = await createWallet()
  await owner.fund()
  const to = world.newAddress()
  const paying = await owner.make([world.sendCoins(to, 1n)], { isSponsored: false })
  const sponsored = await owner.make([world.sendCoins(to, 2n)])
  const setBaseFee = async (baseFeePerGas: bigint) => {
    await world.client.setNextBlockBaseFeePerGas({ baseFeePerGas })
    await world.client.mine({ blocks: 1 })
  }
  const { baseFeePerGas } = await world.client.getBlock()
  await setBaseFee(BigInt(paying.maxFeePerGas) * 2n)
  expect(await owner.send([sponsored, paying], 'dear')).toEqual({
    status: 'underpriced',
    index: 1,
    explanation: expect.stringMatching(
      /^base-sepolia takes \d+ wei per unit of gas, but the operation offers \d+$/,
    ),
  })
  expect(await owner.send([sponsored])).toMatchObject({ status: 'included' })
  expect(await world.client.getBalance({ address: to })).toBe(2n)
  await setBaseFee(baseFeePerGas ?? 1n)
  expect(await owner.send([sponsored, paying], 'dear')).toMatchObject({
    results: [{ status: 'success' }, { status: 'success' }],
  })
  expect(await world.client.getBalance({ address: to })).toBe(3n)
})
