import type { Transaction } from 'kassa/schema'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { requireOperations } from '#holdings/transactions/actingWallet.js'
import { createTransactionHandlers } from '#holdings/transactions/handlers.js'
import {
  createTransactionWorld,
  directCall,
  messageOf,
  type TransactionWorld,
} from '../../helpers/createTransactionWorld.js'

let world: TransactionWorld
beforeEach(async () => {
  world = await createTransactionWorld()
})
afterEach(() => world.close())

const chain = 'base-sepolia'
const refusal = { reason: 'failed_to_land_on_chain' as const, message: 'not for the moment' }

const operationOf = (one: Transaction) => {
  if (one.walletType !== 'evm-smart-wallet') throw new Error('no smart wallet’s')
  return one.onChain
}
const nonceOf = (one: Transaction) => BigInt(operationOf(one).userOperation.nonce)

const createGate = () => {
  const gate = { open: () => {}, opened: Promise.resolve() }
  gate.opened = new Promise<void>((resolve) => {
    gate.open = resolve
  })
  return gate
}

/** Opens another process, which stops after one of the bundles it has sent. */
const startProcess = (walletId: string, stopAfter: number) => {
  const [reached, goOn] = [createGate(), createGate()]
  const keys: string[] = []
  const { port } = world.chain
  const wallets: typeof port.wallets = {
    ...port.wallets,
    operations: {
      ...requireOperations(port),
      send: async (key, ...rest) => {
        const result = await requireOperations(port).send(key, ...rest)
        if (keys.push(key) === stopAfter) {
          reached.open()
          await goOn.opened
        }
        return result
      },
    },
  }
  const chains = { ...world.deps.chains, get: () => ({ ...port, wallets }) }
  const send = createTransactionHandlers({ ...world.deps, chains })['transactions.send']
  return { keys, reached: reached.opened, goOn: goOn.open, ended: send({ walletId, chain }) }
}

test('behavior: if a chain refused the same bundle to two processes, the late one undoes nothing', async () => {
  const wallet = await world.createOwnedWallet()
  const [first, second] = [await wallet.create(), await wallet.create()]
  for (const one of [first, second]) await wallet.approve(one.id, messageOf(one))
  world.fake.state.refusals.set(messageOf(first), refusal)
  const late = startProcess(wallet.id, 1)
  await late.reached
  const early = startProcess(wallet.id, 2)
  await early.reached
  // The early one sent it alone, and it was refused. Under yet another key it would succeed now.
  world.fake.state.refusals.clear()
  late.goOn()
  await late.ended
  early.goOn()
  await early.ended
  expect(late.keys[1]).toBe(early.keys[1])
  expect(world.fake.done.map(({ hash }) => hash)).toEqual([messageOf(second)])
  expect(await wallet.get(second.id)).toMatchObject({ status: 'success' })
})

test('behavior: the custodian’s signature is hidden until the operation is on chain', async () => {
  const wallet = await world.createWallet()
  const created = await wallet.create()
  expect(operationOf(created).userOperation.signature).toBe('0x')
  expect(JSON.stringify(await wallet.get(created.id))).not.toMatch(/0x[0-9a-f]{130}"/)
  await wallet.run()
  const ended = await wallet.get(created.id)
  expect(operationOf(ended).userOperation.signature).toMatch(/^0x[0-9a-f]{130}$/)
})

test('behavior: for a wallet that became sanctioned, no nonce is given twice, and what was sent before cannot land', async () => {
  const wallet = await world.createWallet()
  const begun = await wallet.create({ calls: [directCall('0x00000001')] })
  const [refused, known] = [await wallet.create(), await wallet.create()]
  world.fake.state.refusals.set(operationOf(refused).userOperationHash, refusal)
  // It is set apart, and the process is killed when it sends the ones before it.
  world.fake.state.beforeSend = async () => {
    world.fake.state.beforeSend = async () => {
      throw new Error('killed')
    }
  }
  await expect(wallet.run()).rejects.toThrow('killed')
  world.fake.state.beforeSend = async () => {}
  const unsent = await wallet.create()
  world.deps.config.sanctionedAddresses = new Set([wallet.address.toLowerCase()])
  await wallet.run()
  expect(await wallet.get(begun.id)).toMatchObject({ status: 'success' })
  for (const { id } of [refused, known, unsent]) {
    const ended = await wallet.get(id)
    expect(ended).toMatchObject({ status: 'failed' })
    expect(operationOf(ended).userOperation.signature).toBe('0x')
  }
  // Two nonces are used up, and the third is released.
  expect(world.fake.done.map(({ calls }) => calls[0]?.data)).toEqual(['0x00000001', '0x', '0x'])
  world.deps.config.sanctionedAddresses = new Set()
  const after = await wallet.create({ calls: [directCall('0x12345678')] })
  expect(nonceOf(after)).toBe(3n)
  await wallet.run()
  expect(await wallet.get(after.id)).toMatchObject({ status: 'success' })
})
