import {
  AddressLookupTableProgram,
  ComputeBudgetProgram,
  Ed25519Program,
  Keypair,
  LAMPORTS_PER_SOL,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createWeb3Client } from '../../../helpers/createWeb3Client.js'

let client: Awaited<ReturnType<typeof createWeb3Client>>
beforeAll(async () => {
  client = await createWeb3Client()
})
afterAll(() => client.close())

const memoProgram = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')
const memo = (text: string) =>
  new TransactionInstruction({ programId: memoProgram, keys: [], data: Buffer.from(text) })
const transfer = (lamports: number, toPubkey = Keypair.generate().publicKey) =>
  SystemProgram.transfer({ fromPubkey: client.payer.publicKey, toPubkey, lamports })

const price = ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_234_567 })
const limit = (units: number) => ComputeBudgetProgram.setComputeUnitLimit({ units })

test.each<[string, () => TransactionInstruction[]]>([
  ['no price', () => [transfer(1_000_000)]],
  ['a limit', () => [price, limit(12_345), memo('a')]],
  ['a limit beyond the maximum', () => [limit(3_000_000), price, memo('b')]],
  ['no limit and a program of the node', () => [price, transfer(1_000_000)]],
  ['no limit and other programs', () => [price, transfer(1_000_000), memo('c'), memo('d')]],
  ['no limit and more than the maximum', () => [price, ...'abcdefgh'.split('').map(memo)]],
  [
    'no limit and a program that the node no longer contains',
    () => [
      price,
      AddressLookupTableProgram.closeLookupTable({ ...tableKeys(), recipient: tableKeys().authority }),
    ],
  ],
  [
    'a signature that the node verifies',
    () => [
      price,
      Ed25519Program.createInstructionWithPrivateKey({
        privateKey: client.payer.secretKey,
        message: Buffer.from('signed'),
      }),
    ],
  ],
])('default: getFeeForMessage is the fee that is charged with %s', async (_, create) => {
  const { connection, payer, sign, tick } = client
  const transaction = await sign(create())
  const { value } = await connection.getFeeForMessage(transaction.compileMessage())
  const before = await connection.getBalance(payer.publicKey)
  const signature = await connection.sendRawTransaction(transaction.serialize(), { skipPreflight: true })
  tick()
  const found = await connection.getTransaction(signature, { commitment: 'confirmed' })
  expect(found).toBeNull()
  tick(2)
  const landed = await connection.getTransaction(signature, { commitment: 'confirmed' })
  expect(landed?.meta?.fee).toBe(value)
  expect(before - (await connection.getBalance(payer.publicKey))).toBeGreaterThanOrEqual(value ?? 0)
})
const tableKeys = () => ({ lookupTable: Keypair.generate().publicKey, authority: client.payer.publicKey })

test('default: getFeeForMessage is null once the blockhash has expired', async () => {
  const message = (await client.sign([transfer(1)])).compileMessage()
  client.tick(150)
  expect((await client.connection.getFeeForMessage(message)).value).toBe(5_000)
  client.tick()
  expect((await client.connection.getFeeForMessage(message)).value).toBeNull()
})

test.each<[string, () => Promise<unknown>]>([
  [
    'Transaction simulation failed: Error processing Instruction 0: custom program error: 0x1',
    () => {
      return client.send([transfer(1_000 * LAMPORTS_PER_SOL)])
    },
  ],
  [
    'Transaction simulation failed: This transaction has already been processed',
    async () => {
      const transaction = await client.sign([transfer(1_000_000)])
      await client.connection.sendRawTransaction(transaction.serialize())
      client.tick()
      return client.connection.sendRawTransaction(transaction.serialize())
    },
  ],
  [
    'Transaction simulation failed: Blockhash not found',
    async () => {
      const transaction = await client.sign([transfer(1_000_000)])
      client.tick(151)
      return client.connection.sendRawTransaction(transaction.serialize())
    },
  ],
  [
    'Transaction simulation failed: Attempt to debit an account but found no record of a prior credit.',
    async () => {
      const poor = Keypair.generate()
      const transaction = await client.sign([memo('poor')])
      transaction.feePayer = poor.publicKey
      transaction.sign(poor)
      return client.connection.sendRawTransaction(transaction.serialize())
    },
  ],
  [
    'Transaction signature verification failure',
    async () => {
      const transaction = await client.sign([transfer(1_000_000)])
      const wire = transaction.serialize()
      wire[5] = (wire[5] ?? 0) ^ 1
      return client.connection.sendRawTransaction(wire)
    },
  ],
])('error: %s', async (message, cause) => {
  await expect(cause()).rejects.toThrow(message)
})

const sendVersioned = async () => {
  const { connection, payer, tick } = client
  const { blockhash: recentBlockhash } = await connection.getLatestBlockhash()
  const instructions = [transfer(1_000_000)]
  const message = new TransactionMessage({ payerKey: payer.publicKey, recentBlockhash, instructions })
  const transaction = new VersionedTransaction(message.compileToV0Message())
  transaction.sign([payer])
  const signature = await connection.sendTransaction(transaction)
  tick(3)
  const slot = (await connection.getSignatureStatus(signature)).value?.slot ?? 0
  return { signature, slot }
}

const readVersioned = (signature: string) =>
  client.connection.getTransaction(signature, { commitment: 'confirmed', maxSupportedTransactionVersion: 0 })

test('behavior: a transaction of version 0 is shown only to those who know of versions', async () => {
  const { connection } = client
  const { signature, slot } = await sendVersioned()
  const refusal =
    'Transaction version (0) is not supported by the requesting client. Please try the request again with the following configuration parameter: "maxSupportedTransactionVersion": 0'
  expect((await client.call('getTransaction', [signature, { commitment: 'confirmed' }])).error).toEqual({
    code: -32015,
    message: refusal,
  })
  await expect(connection.getBlock(slot, { commitment: 'confirmed' })).rejects.toThrow(refusal)
  expect((await readVersioned(signature))?.version).toBe(0)
  const legacy = await client.send([memo('legacy')])
  client.tick(2)
  const { result } = await client.call('getTransaction', [legacy, { commitment: 'confirmed' }])
  expect(result).not.toHaveProperty('version')
  expect((await readVersioned(legacy))?.version).toBe('legacy')
})

test('default: getBlock shows whole transactions, as web3.js reads them', async () => {
  const { connection } = client
  const { signature, slot } = await sendVersioned()
  const options = { commitment: 'confirmed', maxSupportedTransactionVersion: 0 } as const
  const block = await connection.getBlock(slot, options)
  expect(block).toMatchObject({ parentSlot: slot - 1, rewards: [] })
  expect(block?.transactions.map(({ transaction }) => transaction.signatures)).toEqual([[signature]])
  expect(block?.transactions[0]?.meta).toMatchObject({ err: null, fee: 5_000 })
  const parsed = await connection.getParsedBlock(slot, options)
  const transferred = { program: 'system', parsed: { type: 'transfer', info: { lamports: 1_000_000 } } }
  expect(parsed.transactions[0]?.transaction).toMatchObject({ message: { instructions: [transferred] } })
  const accounts = await connection.getParsedBlock(slot, { ...options, transactionDetails: 'accounts' })
  expect(accounts.transactions[0]?.transaction).toMatchObject({
    signatures: [signature],
    accountKeys: [
      { pubkey: client.payer.publicKey, signer: true, writable: true, source: 'transaction' },
      {},
      {},
    ],
  })
  const parent = await connection.getBlock(slot - 1, options)
  expect(block?.previousBlockhash).toBe(parent?.blockhash)
})

test.each([
  ['getSlot', []],
  ['getBlockHeight', []],
  ['getTransactionCount', []],
  ['getEpochInfo', []],
  ['getLatestBlockhash', []],
  ['getBalance', ['11111111111111111111111111111111']],
  ['getAccountInfo', ['11111111111111111111111111111111']],
  ['getMultipleAccounts', [['11111111111111111111111111111111']]],
  ['getProgramAccounts', ['11111111111111111111111111111111']],
  ['getSignaturesForAddress', ['11111111111111111111111111111111']],
  ['getBlocks', [1]],
  ['isBlockhashValid', ['11111111111111111111111111111111']],
  ['sendTransaction', ['']],
  ['simulateTransaction', ['']],
])('error: %s refuses before the slot that the client names', async (method, params) => {
  const newest = await client.connection.getSlot('finalized')
  expect((await client.call(method, [...params, { minContextSlot: newest + 1 }])).error).toEqual({
    code: -32016,
    message: 'Minimum context slot has not been reached',
    data: { contextSlot: newest },
  })
  const { error } = await client.call(method, [...params, { minContextSlot: newest }])
  expect(error?.code).not.toBe(-32016)
})

test('behavior: the slot of a transaction is compared with that of its preflight', async () => {
  const minContextSlot = await client.connection.getSlot('confirmed')
  const codeFor = async (config: object) =>
    (await client.call('sendTransaction', ['', { minContextSlot, ...config }])).error?.code
  expect(await codeFor({})).toBe(-32016)
  expect(await codeFor({ preflightCommitment: 'confirmed' })).toBe(-32602)
  expect(await codeFor({ preflightCommitment: 'finalized', skipPreflight: true })).toBe(-32602)
})

test('default: the cluster tells of itself', async () => {
  const { connection } = client
  const slot = await connection.getSlot('finalized')
  expect(await connection.getEpochSchedule()).toMatchObject({ slotsPerEpoch: 432_000, warmup: false })
  const leader = await connection.getSlotLeader()
  expect((await client.call('getIdentity')).result).toEqual({ identity: leader })
  expect(await connection.getSlotLeaders(slot, 2)).toEqual([new PublicKey(leader), new PublicKey(leader)])
  const { value: supply } = await connection.getSupply('processed')
  expect(supply.total).toBe(supply.circulating + supply.nonCirculating)
  expect(supply.nonCirculatingAccounts).toEqual([new PublicKey(leader)])
  const { result } = await client.call('getBlocksWithLimit', [2, 3])
  expect(result).toEqual([2, 3, 4])
  const count = await connection.getTransactionCount('processed')
  await client.send([memo('counted')])
  expect(await connection.getTransactionCount('processed')).toBe(count + 1)
  const health = await fetch(`${client.node.rpcUrl}/health`)
  expect([health.status, await health.text()]).toEqual([200, 'ok'])
})

test('default: getProgramAccounts has a context if it is asked for', async () => {
  const filters = [{ dataSize: 7 }]
  const found = await client.connection.getProgramAccounts(SystemProgram.programId, {
    filters,
    withContext: true,
  })
  expect(found).toEqual({ context: expect.objectContaining({ slot: expect.any(Number) }), value: [] })
})
