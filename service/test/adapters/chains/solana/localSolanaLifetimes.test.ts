import {
  AddressLookupTableProgram,
  Keypair,
  LAMPORTS_PER_SOL,
  NONCE_ACCOUNT_LENGTH,
  SystemProgram,
  Transaction,
  type TransactionInstruction,
  TransactionMessage,
  VersionedTransaction,
} from '@solana/web3.js'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createWeb3Client } from '../../../helpers/createWeb3Client.js'

let client: Awaited<ReturnType<typeof createWeb3Client>>
beforeEach(async () => {
  client = await createWeb3Client()
})
afterEach(() => client.close())

const transfer = (lamports: number, toPubkey = Keypair.generate().publicKey) =>
  SystemProgram.transfer({ fromPubkey: client.payer.publicKey, toPubkey, lamports })

test('default: a transaction with a lookup table lands, and says what it loaded from it', async () => {
  const { connection, payer, send, tick } = client
  const authority = payer.publicKey
  const recentSlot = await connection.getSlot('finalized')
  const [create, lookupTable] = AddressLookupTableProgram.createLookupTable({
    authority,
    payer: authority,
    recentSlot,
  })
  const recipient = Keypair.generate().publicKey
  const addresses = [SystemProgram.programId, recipient]
  await send([
    create,
    AddressLookupTableProgram.extendLookupTable({ lookupTable, authority, payer: authority, addresses }),
  ])
  tick()
  const { value: table } = await connection.getAddressLookupTable(lookupTable)
  if (!table) throw new Error('no lookup table')
  const { blockhash: recentBlockhash } = await connection.getLatestBlockhash()
  const message = new TransactionMessage({
    payerKey: authority,
    recentBlockhash,
    instructions: [transfer(LAMPORTS_PER_SOL, recipient)],
  })
  const transaction = new VersionedTransaction(message.compileToV0Message([table]))
  transaction.sign([payer])
  const signature = await connection.sendTransaction(transaction)
  tick(3)
  const options = { commitment: 'confirmed', maxSupportedTransactionVersion: 0 } as const
  const found = await connection.getTransaction(signature, {
    commitment: 'confirmed',
    maxSupportedTransactionVersion: 0,
  })
  expect(found?.meta?.err).toBeNull()
  expect(found?.meta?.loadedAddresses).toEqual({ writable: [recipient], readonly: [] })
  const keys = found?.transaction.message.getAccountKeys({
    accountKeysFromLookups: found.meta?.loadedAddresses ?? null,
  })
  const at = [0, 1, 2].findIndex((index) => keys?.get(index)?.equals(recipient))
  expect(found?.meta?.preBalances[at]).toBe(0)
  expect(found?.meta?.postBalances[at]).toBe(LAMPORTS_PER_SOL)
  const shown = found?.transaction.message
  expect(shown && 'addressTableLookups' in shown && shown.addressTableLookups).toEqual([
    { accountKey: lookupTable, writableIndexes: [1], readonlyIndexes: [] },
  ])
  const parsed = await connection.getParsedTransaction(signature, options)
  expect(parsed?.transaction.message.accountKeys.at(-1)).toEqual({
    pubkey: recipient,
    signer: false,
    writable: true,
    source: 'lookupTable',
  })
  expect((await connection.getSignaturesForAddress(recipient, {}, 'confirmed'))[0]?.signature).toBe(signature)
})

/** Creates a nonce account of the payer. */
const createNonce = async () => {
  const { connection, payer, send } = client
  const account = Keypair.generate()
  await send(
    [
      SystemProgram.createAccount({
        fromPubkey: payer.publicKey,
        newAccountPubkey: account.publicKey,
        lamports: await connection.getMinimumBalanceForRentExemption(NONCE_ACCOUNT_LENGTH),
        space: NONCE_ACCOUNT_LENGTH,
        programId: SystemProgram.programId,
      }),
      SystemProgram.nonceInitialize({ noncePubkey: account.publicKey, authorizedPubkey: payer.publicKey }),
    ],
    [account],
  )
  return account.publicKey
}

const readNonce = async (account: Keypair['publicKey']) => {
  const found = await client.connection.getNonce(account)
  if (!found) throw new Error('no nonce account')
  return found.nonce
}

const signWithNonce = async (account: Keypair['publicKey'], instruction: TransactionInstruction) => {
  const authorizedPubkey = client.payer.publicKey
  const transaction = new Transaction({
    feePayer: authorizedPubkey,
    nonceInfo: {
      nonce: await readNonce(account),
      nonceInstruction: SystemProgram.nonceAdvance({ noncePubkey: account, authorizedPubkey }),
    },
    minContextSlot: await client.connection.getSlot(),
  }).add(instruction)
  transaction.sign(client.payer)
  return transaction.serialize()
}

test('default: a transaction with a durable nonce lands after its blockhash would have expired, once', async () => {
  const { connection, tick } = client
  const account = await createNonce()
  tick()
  const recipient = Keypair.generate().publicKey
  const wire = await signWithNonce(account, transfer(LAMPORTS_PER_SOL, recipient))
  const other = await signWithNonce(account, transfer(2 * LAMPORTS_PER_SOL, recipient))
  const earlier = await readNonce(account)
  tick(200)
  const message = Transaction.from(wire).compileMessage()
  expect((await connection.getFeeForMessage(message)).value).toBe(5_000)
  const signature = await connection.sendRawTransaction(wire)
  tick()
  expect((await connection.getSignatureStatus(signature)).value?.err).toBeNull()
  expect(await readNonce(account)).not.toBe(earlier)
  await expect(connection.sendRawTransaction(wire)).rejects.toThrow('already been processed')
  await expect(connection.sendRawTransaction(other)).rejects.toThrow('Blockhash not found')
  await connection.sendRawTransaction(other, { skipPreflight: true })
  tick(2)
  expect(await connection.getBalance(recipient)).toBe(LAMPORTS_PER_SOL)
  expect((await connection.getFeeForMessage(message)).value).toBeNull()
})

test('behavior: two transactions with one nonce in one block: the first lands alone', async () => {
  const { connection, tick } = client
  const account = await createNonce()
  tick()
  const recipient = Keypair.generate().publicKey
  for (const lamports of [LAMPORTS_PER_SOL, 2 * LAMPORTS_PER_SOL]) {
    await connection.sendRawTransaction(await signWithNonce(account, transfer(lamports, recipient)))
  }
  tick(3)
  expect(await connection.getBalance(recipient)).toBe(LAMPORTS_PER_SOL)
})

test('error: a nonce is not advanced again in the block that stored it', async () => {
  const account = await createNonce()
  const wire = await signWithNonce(account, transfer(LAMPORTS_PER_SOL))
  await expect(client.connection.sendRawTransaction(wire)).rejects.toThrow('Blockhash not found')
  client.tick()
  await client.connection.sendRawTransaction(wire)
})

test('behavior: a transaction that fails uses up its nonce', async () => {
  const { connection, tick } = client
  const account = await createNonce()
  tick()
  const earlier = await readNonce(account)
  const wire = await signWithNonce(account, transfer(1_000 * LAMPORTS_PER_SOL))
  const signature = await connection.sendRawTransaction(wire, { skipPreflight: true })
  tick()
  expect((await connection.getSignatureStatus(signature)).value?.err).toEqual({
    InstructionError: [1, { Custom: 1 }],
  })
  expect(await readNonce(account)).not.toBe(earlier)
  tick()
  const later = await connection.sendRawTransaction(await signWithNonce(account, transfer(LAMPORTS_PER_SOL)))
  tick()
  expect((await connection.getSignatureStatus(later)).value?.err).toBeNull()
})

test('error: a nonce whose authority does not sign is no lifetime', async () => {
  const { connection, payer, tick } = client
  const account = await createNonce()
  const stranger = Keypair.generate()
  await client.send([transfer(LAMPORTS_PER_SOL, stranger.publicKey)])
  tick()
  const nonceInstruction = SystemProgram.nonceAdvance({
    noncePubkey: account,
    authorizedPubkey: payer.publicKey,
  })
  for (const key of nonceInstruction.keys) key.isSigner = false
  const transaction = new Transaction({
    feePayer: stranger.publicKey,
    nonceInfo: { nonce: await readNonce(account), nonceInstruction },
    minContextSlot: 0,
  })
  transaction.sign(stranger)
  await expect(connection.sendRawTransaction(transaction.serialize())).rejects.toThrow('Blockhash not found')
})

test('behavior: a replaced block gives the nonce back', async () => {
  const { connection, node, tick } = client
  const account = await createNonce()
  tick()
  const recipient = Keypair.generate().publicKey
  const earlier = await readNonce(account)
  await connection.sendRawTransaction(await signWithNonce(account, transfer(LAMPORTS_PER_SOL, recipient)))
  tick()
  node.cluster.fork(1, true)
  expect(await readNonce(account)).toBe(earlier)
  tick()
  expect(await connection.getBalance(recipient)).toBe(LAMPORTS_PER_SOL)
})
