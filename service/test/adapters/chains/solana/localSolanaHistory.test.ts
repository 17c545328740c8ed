import { appendFileSync, copyFileSync, mkdtempSync, rmSync, statSync, truncateSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  Keypair,
  LAMPORTS_PER_SOL,
  NonceAccount,
  PublicKey,
  SystemProgram,
  Transaction,
} from '@solana/web3.js'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { startLocalSolana } from '#adapters/chains/solana/local/startLocalSolana.js'
import { addressOf, createWeb3Client } from '../../../helpers/createWeb3Client.js'

const folder = mkdtempSync(join(tmpdir(), 'kassa-solana-history-'))
let client: Awaited<ReturnType<typeof createWeb3Client>>
let statePath: string
let files = 0
beforeEach(async () => {
  statePath = join(folder, `${files++}`, 'state')
  client = await createWeb3Client({ statePath })
})
afterEach(() => client.close())
afterAll(() => rmSync(folder, { recursive: true }))

const pay = async (recipient: Keypair['publicKey']) => {
  const lamports = LAMPORTS_PER_SOL
  return client.send([
    SystemProgram.transfer({ fromPubkey: client.payer.publicKey, toPubkey: recipient, lamports }),
  ])
}

const expectCleanedUp = async (
  recipient: Keypair['publicKey'],
  [old, recent]: [string, string],
  slot: number,
) => {
  const { connection, call } = client
  const first = await connection.getFirstAvailableBlock()
  expect(first).toBeGreaterThan(slot)
  expect(await connection.getTransaction(old, { commitment: 'confirmed' })).toBeNull()
  expect((await connection.getTransaction(recent, { commitment: 'confirmed' }))?.meta?.err).toBeNull()
  const message = `Block ${slot} cleaned up, does not exist on node. First available block: ${first}`
  expect((await call('getBlock', [slot])).error).toEqual({ code: -32001, message })
  expect((await call('getBlockTime', [slot])).error).toEqual({ code: -32001, message })
  const listed = await connection.getSignaturesForAddress(recipient, {}, 'confirmed')
  expect(listed.map(({ signature }) => signature)).toEqual([recent])
  const { value } = await connection.getSignatureStatuses([old, recent], { searchTransactionHistory: true })
  expect(value.map((each) => each?.err)).toEqual([undefined, null])
  expect(await connection.getBlocks(0, first, 'confirmed')).toEqual([first])
  expect(await connection.getBalance(recipient)).toBe(2 * LAMPORTS_PER_SOL)
}

test('behavior: a cluster that cleans up its history keeps balances, over a restart too', async () => {
  const { connection, tick } = client
  const recipient = Keypair.generate().publicKey
  const old = await pay(recipient)
  const slot = await connection.getSlot('processed')
  tick(10)
  const recent = await pay(recipient)
  tick(3)
  const count = await connection.getTransactionCount('processed')
  client.node.cluster.cleanUpHistory()
  await expectCleanedUp(recipient, [old, recent], slot)
  await client.restart()
  await expectCleanedUp(recipient, [old, recent], slot)
  expect(await client.connection.getTransactionCount('processed')).toBe(count)
})

test('behavior: a transaction whose block was cleaned up does not land again', async () => {
  const { connection, sign, tick } = client
  const toPubkey = Keypair.generate().publicKey
  const instruction = SystemProgram.transfer({
    fromPubkey: client.payer.publicKey,
    toPubkey,
    lamports: LAMPORTS_PER_SOL,
  })
  const transaction = await sign([instruction])
  const wire = transaction.serialize()
  await connection.sendRawTransaction(wire)
  tick(20)
  client.node.cluster.cleanUpHistory()
  await expect(connection.sendRawTransaction(wire)).rejects.toThrow('already been processed')
  await client.restart()
  await client.connection.sendRawTransaction(wire, { skipPreflight: true })
  tick(2)
  expect(await client.connection.getBalance(toPubkey)).toBe(LAMPORTS_PER_SOL)
  expect((await client.connection.isBlockhashValid(transaction.recentBlockhash ?? '')).value).toBe(true)
})

const quiet = { port: 0, slotMs: 3_600_000, finalizedAfter: 8 }

/** Starts a node from a copy of the state, as after the process was killed. */
const startCopy = async (change: (path: string) => void = () => {}) => {
  const copy = `${statePath}.copy`
  copyFileSync(statePath, copy)
  change(copy)
  return startLocalSolana({ ...quiet, statePath: copy })
}

test('behavior: a process that is killed loses no block with transactions', async () => {
  const { connection, tick } = client
  const recipient = Keypair.generate().publicKey
  await pay(recipient)
  tick(3)
  const { ino, size } = statSync(statePath)
  const last = await pay(recipient)
  // It is appended. A state that is written anew is another file.
  expect(statSync(statePath).ino).toBe(ino)
  expect(statSync(statePath).size).toBeGreaterThan(size)
  const { blockhash } = await connection.getLatestBlockhash()
  const node = await startCopy()
  expect(node.cluster.findTransaction(last, 'processed')?.error).toBeUndefined()
  const account = node.cluster.readAccount(addressOf(recipient), 'processed')
  expect(account.exists && account.lamports).toBe(BigInt(2 * LAMPORTS_PER_SOL))
  expect(node.cluster.isBlockhashValid(blockhash, 'processed')).toBe(true)
  expect(node.cluster.slotAt('processed')).toBe(client.node.cluster.slotAt('processed'))
  await node.close()
})

test.each<[string, (path: string) => void]>([
  ['was not written to its end', (path) => truncateSync(path, statSync(path).size - 5)],
  ['is followed by half a length', (path) => appendFileSync(path, Uint8Array.from([7, 7]))],
])('behavior: a state whose last record %s is read up to there', async (_, change) => {
  const recipient = Keypair.generate().publicKey
  const first = await pay(recipient)
  await pay(recipient)
  const node = await startCopy(change)
  expect(node.cluster.findTransaction(first, 'processed')).toBeDefined()
  node.tick()
  await node.close()
  const again = await startCopy()
  expect(again.cluster.findTransaction(first, 'processed')).toBeDefined()
  await again.close()
})

test('behavior: a process that is killed after a cleanup does not find the history again', async () => {
  const old = await pay(Keypair.generate().publicKey)
  client.tick(10)
  client.node.cluster.cleanUpHistory()
  const recent = await pay(Keypair.generate().publicKey)
  const node = await startCopy()
  expect(node.cluster.findTransaction(old, 'processed')).toBeUndefined()
  expect(node.cluster.findTransaction(recent, 'processed')).toBeDefined()
  await node.close()
})

test('behavior: a replaced block is replaced after a restart too', async () => {
  const recipient = Keypair.generate().publicKey
  await pay(recipient)
  const replaced = await pay(recipient)
  client.node.cluster.fork(1)
  const last = await pay(Keypair.generate().publicKey)
  const node = await startCopy()
  expect(node.cluster.findTransaction(replaced, 'processed')).toBeUndefined()
  expect(node.cluster.findTransaction(last, 'processed')).toBeDefined()
  const account = node.cluster.readAccount(addressOf(recipient), 'processed')
  expect(account.exists && account.lamports).toBe(BigInt(LAMPORTS_PER_SOL))
  await node.close()
})

test('behavior: nonces go on after a restart as they would have without one', async () => {
  const { connection, payer, send, tick } = client
  const noncePubkey = Keypair.generate().publicKey
  const seed = 'nonce'
  const account = await PublicKey.createWithSeed(payer.publicKey, seed, SystemProgram.programId)
  const authorizedPubkey = payer.publicKey
  const create = SystemProgram.createNonceAccount({
    fromPubkey: payer.publicKey,
    basePubkey: payer.publicKey,
    seed,
    noncePubkey: account,
    authorizedPubkey,
    lamports: 2_000_000,
  })
  await send(create.instructions)
  tick(5)
  await pay(noncePubkey)
  const nonceInstruction = SystemProgram.nonceAdvance({ noncePubkey: account, authorizedPubkey })
  const readNonce = async () => (await connection.getNonce(account))?.nonce ?? ''
  /** Advances the nonce in both clusters, and returns what each then holds. */
  const advance = async ({ cluster, tick: tickOther }: Awaited<ReturnType<typeof startCopy>>) => {
    const nonceInfo = { nonce: await readNonce(), nonceInstruction }
    const transaction = new Transaction({ feePayer: payer.publicKey, nonceInfo, minContextSlot: 0 })
    transaction.sign(payer)
    const wire = transaction.serialize()
    await connection.sendRawTransaction(wire)
    cluster.submit(wire)
    tick()
    tickOther()
    const copied = cluster.readAccount(addressOf(account), 'processed')
    return [await readNonce(), copied.exists && NonceAccount.fromAccountData(Buffer.from(copied.data)).nonce]
  }
  const appended = await startCopy()
  const [nonce, copy] = await advance(appended)
  expect(copy).toBe(nonce)
  // Closing makes one more block, and writes the whole state.
  await appended.close()
  tick()
  const whole = await startLocalSolana({ ...quiet, statePath: `${statePath}.copy` })
  const [later, laterCopy] = await advance(whole)
  expect(later).not.toBe(nonce)
  expect(laterCopy).toBe(later)
  await whole.close()
})
