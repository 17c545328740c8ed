import {
  type Address,
  address,
  appendTransactionMessageInstructions,
  compileTransaction,
  createKeyPairSignerFromPrivateKeyBytes,
  createNoopSigner,
  createTransactionMessage,
  decompileTransactionMessage,
  generateKeyPairSigner,
  getBase58Decoder,
  getBase58Encoder,
  getBase64EncodedWireTransaction,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type Instruction,
  type KeyPairSigner,
  lamports,
  partiallySignTransaction,
  pipe,
  type Signature,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  signBytes,
} from '@solana/kit'
import { getAddMemoInstruction } from '@solana-program/memo'
import { getTransferSolInstruction } from '@solana-program/system'
import type { Transaction } from 'kassa/schema'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { accountAddress } from '#adapters/chains/solana/connection/accountAddress.js'
import type { ProgramWalletPort } from '#base/ports/programWallets.js'
import { approveTransaction } from '#holdings/transactions/approveTransaction.js'
import { createTransaction } from '#holdings/transactions/createTransaction.js'
import { getTransaction } from '#holdings/transactions/readTransactions.js'
import { createProgramWallet, isProgramWallet } from '#identity/wallets/createProgramWallet.js'
import { getWallet } from '#identity/wallets/findWallet.js'
import { createOrderWorld, type OrderWorld } from '../../helpers/createOrderWorld.js'
import { createTestSolana } from '../../helpers/createTestSolana.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const sol = 1_000_000_000n
const operatorKey = new Uint8Array(32).fill(7)
const walletKey = new Uint8Array(32).fill(9)
const solana = openBeforeAll(createTestSolana)

const compile = async (payer: Address, instructions: readonly Instruction[]) => {
  const { value: lifetime } = await solana.rpc.getLatestBlockhash({ commitment: 'confirmed' }).send()
  return compileTransaction(
    pipe(
      createTransactionMessage({ version: 0 }),
      (empty) => setTransactionMessageFeePayer(payer, empty),
      (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
      (dated) => appendTransactionMessageInstructions(instructions, dated),
    ),
  )
}
type Built = Awaited<ReturnType<typeof compile>>
const toText = (built: Built) => getBase58Decoder().decode(getTransactionEncoder().encode(built))
const parse = (text: string) => getTransactionDecoder().decode(getBase58Encoder().encode(text))

/**
 * An adapter of a program that the cluster does not have: a key stands in for the wallet's account, and a memo that
 * the signer must sign for the program's check of them.
 */
const createPrograms = (): ProgramWalletPort => ({
  walletAddress: () => accountAddress(walletKey),
  wrap: async (_, transaction, { signer }) => {
    const { messageBytes } = parse(transaction)
    const inner = decompileTransactionMessage(getCompiledTransactionMessageDecoder().decode(messageBytes))
    const check = getAddMemoInstruction({ memo: 'execute', signers: [createNoopSigner(address(signer))] })
    const outer = await compile(accountAddress(operatorKey), [...inner.instructions, check])
    return {
      transaction: toText(outer),
      message: getBase58Decoder().decode(outer.messageBytes),
      signers: [signer],
    }
  },
  send: async (_, { transaction, signatures }) => {
    const keys = await Promise.all(
      [operatorKey, walletKey].map((key) => createKeyPairSignerFromPrivateKeyBytes(key)),
    )
    const unsigned = parse(transaction)
    const approvals = Object.entries(signatures).map(([signer, text]) => [
      signer,
      getBase58Encoder().encode(text),
    ])
    const approved = { ...unsigned, signatures: { ...unsigned.signatures, ...Object.fromEntries(approvals) } }
    const signed = await partiallySignTransaction(
      keys.map(({ keyPair }) => keyPair),
      approved as never,
    )
    const txId: Signature = await solana.rpc
      .sendTransaction(getBase64EncodedWireTransaction(signed as never), { encoding: 'base64' })
      .send()
    await solana.awaitConfirmed(txId)
    return { status: 'success', txId }
  },
})

let world: OrderWorld
let owner: KeyPairSigner
let friend: Address
beforeAll(async () => {
  const { chain } = solana
  const withPrograms = { ...chain, wallets: { ...chain.wallets, programs: createPrograms() } }
  world = await createOrderWorld({ db: solana.db, chains: [withPrograms], now: Date.now })
  owner = await generateKeyPairSigner()
  await solana.fund(accountAddress(walletKey), 'sol', 50n * sol)
})
beforeEach(async () => {
  friend = (await generateKeyPairSigner()).address
})

const ada = 'email:ada@example.com'
const bodyWith = (adminSigner?: object) => ({
  type: 'solana-smart-wallet',
  linkedUser: ada,
  ...(adminSigner && { config: { adminSigner } }),
})
const createWallet = (adminSigner?: object) =>
  createProgramWallet(world.deps, world.serverCall, bodyWith(adminSigner))
const walletLocator = `${ada}:solana-smart-wallet`
const create = async (params: object) =>
  createTransaction(world.deps, world.serverCall, { walletLocator, body: { params } })
const transfer = async () => {
  const source = createNoopSigner(accountAddress(walletKey))
  return toText(
    await compile(source.address, [
      getTransferSolInstruction({ source, destination: friend, amount: lamports(2n * sol) }),
    ]),
  )
}
const approve = ({ id }: Pick<Transaction, 'id'>, approval: object) =>
  approveTransaction(world.deps, world.serverCall, {
    walletLocator,
    transactionId: id,
    body: { approvals: [approval] },
  })
const sign = async ({ keyPair }: KeyPairSigner, message: string) =>
  getBase58Decoder().decode(await signBytes(keyPair.privateKey, getBase58Encoder().encode(message)))

test('default: an adapter of a program makes the wallet available, for a signer of its own', async () => {
  const { status, body } = await createWallet({ type: 'solana-keypair', address: owner.address })
  expect(status).toBe(201)
  expect(body).toMatchObject({
    type: 'solana-smart-wallet',
    address: accountAddress(walletKey),
    linkedUser: ada,
    config: {
      adminSigner: {
        type: 'solana-keypair',
        address: owner.address,
        locator: `solana-keypair:${owner.address}`,
      },
    },
  })
  expect(await createWallet({ type: 'solana-keypair', address: owner.address })).toEqual({
    status: 200,
    body,
  })
  expect(await getWallet(world.deps, world.serverCall, { walletLocator })).toEqual(body)
})

test('default: its signer approves the message that executes the transaction, which is then sent', async () => {
  const transaction = await transfer()
  const created = await create({ transaction, signer: `solana-keypair:${owner.address}` })
  const [{ signer = '', message = '' } = {}] = created.approvals?.pending ?? []
  expect(created).toMatchObject({
    walletType: 'solana-smart-wallet',
    status: 'awaiting-approval',
    params: { transaction },
    onChain: { transaction: expect.any(String), lastValidBlockHeight: expect.any(Number) },
    approvals: { pending: [{ signer: `solana-keypair:${owner.address}` }], required: 1 },
  })
  expect(Object(created.onChain).transaction).not.toBe(transaction)
  await world.drain()
  expect(await solana.chain.wallets.getBalances(friend, ['sol'])).toEqual({ sol: 0n })

  const stranger = await generateKeyPairSigner()
  await expect(approve(created, { signer, signature: await sign(stranger, message) })).rejects.toThrow(
    'approvals[0].signature: not a signature of the message',
  )
  await approve(created, { signer, signature: await sign(owner, message) })
  await world.drain()
  const call = { walletLocator, transactionId: created.id }
  expect(await getTransaction(world.deps, world.serverCall, call)).toMatchObject({
    walletType: 'solana-smart-wallet',
    status: 'success',
    onChain: { txId: expect.any(String) },
  })
  expect(await solana.chain.wallets.getBalances(friend, ['sol'])).toEqual({ sol: 2n * sol })
})

test('error: input-invalid, another signer, no signer, or the form of another wallet', async () => {
  const transaction = await transfer()
  await expect(create({ transaction, signer: friend })).rejects.toThrow(
    `params.signer: expected solana-keypair:${owner.address}, the signer of this wallet`,
  )
  await expect(create({ transaction, requiredSigners: [] })).rejects.toThrow('requiredSigners')
  await expect(createWallet()).rejects.toThrow('config: required')
  await expect(createWallet({ type: 'evm-keypair', address: '0x1' })).rejects.toThrow(
    'config.adminSigner.type: expected solana-keypair',
  )
  await expect(createWallet({ type: 'solana-keypair', address: `0x${'11'.repeat(20)}` })).rejects.toThrow(
    'is not an address on solana',
  )
})

test('error: unprocessable, a signer or an address that is sanctioned', async () => {
  world.deps.config.sanctionedAddresses = new Set([owner.address])
  await expect(createWallet({ type: 'solana-keypair', address: owner.address })).rejects.toMatchObject({
    code: 'unprocessable',
  })
  await expect(create({ transaction: await transfer() })).rejects.toMatchObject({ code: 'unprocessable' })
  world.deps.config.sanctionedAddresses = new Set()
})

test('behavior: without an adapter it is not one of the service’s wallets', async () => {
  const plain = await createOrderWorld({ db: solana.db, chains: [solana.chain], now: Date.now })
  expect(isProgramWallet(plain.deps, bodyWith())).toBe(false)
  expect(isProgramWallet(world.deps, bodyWith())).toBe(true)
  expect(isProgramWallet(world.deps, { type: 'solana-mpc-wallet' })).toBe(false)
})
