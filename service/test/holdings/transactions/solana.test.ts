import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstructions,
  type Blockhash,
  compileTransaction,
  createNoopSigner,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase58Decoder,
  getBase58Encoder,
  getTransactionEncoder,
  type Instruction,
  type KeyPairSigner,
  lamports,
  partiallySignTransaction,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  signBytes,
} from '@solana/kit'
import { getAdvanceNonceAccountInstruction, getTransferSolInstruction } from '@solana-program/system'
import { findAssociatedTokenPda, getTransferCheckedInstruction } from '@solana-program/token-2022'
import type { Transaction } from 'kassa/schema'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { wallets, walletTransactions } from '#base/db/tables/index.js'
import { approveTransaction } from '#holdings/transactions/approveTransaction.js'
import { createTransaction } from '#holdings/transactions/createTransaction.js'
import { getTransaction } from '#holdings/transactions/readTransactions.js'
import { createWallet } from '#identity/wallets/createWallet.js'
import { createOrderWorld, type OrderWorld } from '../../helpers/createOrderWorld.js'
import { createTestSolana } from '../../helpers/createTestSolana.js'
import { openBeforeAll } from '../../helpers/openBeforeAll.js'

const sol = 1_000_000_000n
const solana = openBeforeAll(createTestSolana)

let world: OrderWorld
let wallet: Address
let friend: KeyPairSigner
beforeAll(async () => {
  world = await createOrderWorld({ db: solana.db, chains: [solana.chain], now: Date.now })
  const { body } = await createWallet(world.deps, world.serverCall, {
    type: 'solana-mpc-wallet',
    linkedUser: 'email:ada@example.com',
  })
  wallet = address(body.address)
  await solana.fund(wallet, 'sol', 1_000n * sol)
})
beforeEach(async () => {
  world.queue.length = 0
  friend = await generateKeyPairSigner()
})

const latest = async (): Promise<{ blockhash: Blockhash; lastValidBlockHeight: bigint }> =>
  (await solana.rpc.getLatestBlockhash({ commitment: 'confirmed' }).send()).value

const build = async (
  instructions: readonly Instruction[],
  { payer = wallet, version = 0 }: { payer?: Address; version?: 0 | 'legacy' } = {},
) => {
  const lifetime = await latest()
  return compileTransaction(
    pipe(
      createTransactionMessage({ version }),
      (empty) => setTransactionMessageFeePayer(payer, empty),
      (paid) => setTransactionMessageLifetimeUsingBlockhash(lifetime, paid),
      (dated) => appendTransactionMessageInstructions(instructions, dated),
    ),
  )
}
type Built = Awaited<ReturnType<typeof build>>

const toText = (transaction: Pick<Built, 'messageBytes' | 'signatures'>) =>
  getBase58Decoder().decode(getTransactionEncoder().encode(transaction as Built))

const transfer = (units: bigint, source = createNoopSigner(wallet)) =>
  getTransferSolInstruction({ source, destination: friend.address, amount: lamports(units) })

const create = (transaction: string, requiredSigners?: string[]) =>
  createTransaction(world.deps, world.serverCall, {
    walletLocator: wallet,
    body: { params: { transaction, ...(requiredSigners && { requiredSigners }) } },
  })

const get = ({ id }: Pick<Transaction, 'id'>) =>
  getTransaction(world.deps, world.serverCall, { walletLocator: wallet, transactionId: id })

const approve = ({ id }: Pick<Transaction, 'id'>, approvals: unknown[]) =>
  approveTransaction(world.deps, world.serverCall, {
    walletLocator: 'email:ada@example.com:solana-mpc-wallet',
    transactionId: id,
    body: { approvals },
  })

const sign = async ({ keyPair }: KeyPairSigner, message: string) =>
  getBase58Decoder().decode(await signBytes(keyPair.privateKey, getBase58Encoder().encode(message)))

const balance = async (owner: string) => (await solana.chain.wallets.getBalances(owner, ['sol'])).sol

describe('a solana-mpc-wallet', () => {
  test('default: it signs a transaction of its own, which is sent as it is', async () => {
    const transaction = toText(await build([transfer(2n * sol)]))
    const created = await create(transaction)
    expect(created).toMatchObject({
      walletType: 'solana-mpc-wallet',
      status: 'pending',
      params: { transaction },
      onChain: { transaction, lastValidBlockHeight: expect.any(Number) },
      approvals: { pending: [], submitted: [], required: 0 },
    })
    // Two processes run the same job.
    await Promise.all([world.drain(), world.drain()])
    const ended = await get(created)
    expect(ended).toMatchObject({ status: 'success', onChain: { txId: expect.any(String) } })
    expect(await balance(friend.address)).toBe(2n * sol)
  })

  test('behavior: it waits for the approvals of the others who sign', async () => {
    await solana.fund(friend.address, 'sol', 5n * sol)
    const source = createNoopSigner(friend.address)
    const back = getTransferSolInstruction({ source, destination: wallet, amount: lamports(sol) })
    const locator = `solana-keypair:${friend.address}`
    const transaction = toText(await build([back], { version: 'legacy' }))
    const created = await create(transaction, [locator])
    const [{ message = '' } = {}] = created.approvals?.pending ?? []
    expect(created).toMatchObject({
      status: 'awaiting-approval',
      approvals: { pending: [{ signer: locator, message }], required: 1 },
    })
    const stranger = await generateKeyPairSigner()
    await expect(
      approve(created, [{ signer: locator, signature: await sign(stranger, message) }]),
    ).rejects.toThrow(`approvals[0].signature: not a signature of the message by ${friend.address}`)
    await expect(
      approve(created, [
        { signer: `solana-keypair:${stranger.address}`, signature: await sign(stranger, message) },
      ]),
    ).rejects.toThrow('approvals[0].signer: not a signer of this transaction')
    await world.drain()
    expect(await balance(friend.address)).toBe(5n * sol)

    const approval = { signer: locator, signature: await sign(friend, message) }
    const approved = await approve(created, [approval])
    expect(approved).toMatchObject({ status: 'pending', approvals: { pending: [], submitted: [approval] } })
    await expect(approve(created, [approval])).rejects.toMatchObject({ code: 'unprocessable' })
    await world.drain()
    expect(await get(created)).toMatchObject({ status: 'success' })
    expect(await balance(friend.address)).toBe(4n * sol)
  })

  test('behavior: of two who sign beside it, both must approve', async () => {
    const other = await generateKeyPairSigner()
    const signers = [friend, other]
    const parts = signers.map(({ address: owner }) => {
      const source = createNoopSigner(owner)
      return getTransferSolInstruction({ source, destination: wallet, amount: lamports(sol) })
    })
    for (const { address: owner } of signers) await solana.fund(owner, 'sol', 3n * sol)
    const locators = signers.map(({ address: owner }) => `solana-keypair:${owner}`)
    const created = await create(toText(await build(parts)), locators)
    const [{ message = '' } = {}] = created.approvals?.pending ?? []
    const approveBy = async (at: number) => {
      const signer = signers[at] ?? friend
      return approve(created, [{ signer: locators[at], signature: await sign(signer, message) }])
    }
    expect(await approveBy(0)).toMatchObject({
      status: 'awaiting-approval',
      approvals: { pending: [{ signer: locators[1] }], required: 2 },
    })
    await expect(approveBy(0)).rejects.toMatchObject({ code: 'conflict' })
    expect(await approveBy(1)).toMatchObject({ status: 'pending' })
    await world.drain()
    expect(await get(created)).toMatchObject({ status: 'success' })
  })

  test('behavior: what is not approved before its blockhash expires fails, once that is final', async () => {
    await solana.fund(friend.address, 'sol', 5n * sol)
    const back = getTransferSolInstruction({
      source: createNoopSigner(friend.address),
      destination: wallet,
      amount: lamports(sol),
    })
    const created = await create(toText(await build([back])), [`solana-keypair:${friend.address}`])
    const job = world.queue.find(({ name }) => name === 'transactions.expire')
    if (!job) throw new Error('nothing ends it')
    job.startAfterMs = 0
    await expect(world.drain()).rejects.toMatchObject({ code: 'chain-unavailable' })
    for (let left = 160; left > 0; left--) solana.node.tick()
    await world.drain()
    expect(await get(created)).toMatchObject({
      status: 'failed',
      error: { reason: 'failed_to_land_on_chain', message: expect.stringContaining('blockhash') },
    })
  })

  test('behavior: a program that fails answers with its logs, and nothing is kept', async () => {
    const before = await solana.db.select().from(walletTransactions)
    const failing = create(toText(await build([transfer(10_000n * sol)])))
    await expect(failing).rejects.toMatchObject({
      code: 'reverted',
      detail: {
        reason: 'program_error',
        logs: expect.arrayContaining([expect.stringContaining('insufficient lamports')]),
      },
    })
    expect(await solana.db.select().from(walletTransactions)).toHaveLength(before.length)
  })

  test('behavior: a transaction that fails in its block ends with the error of its program', async () => {
    const units = (((await balance(wallet)) ?? 0n) * 6n) / 10n
    const both = await Promise.all([build([transfer(units)]), build([transfer(units + 1n)])])
    const created = [await create(toText(both[0])), await create(toText(both[1]))]
    await world.drain()
    const ended = await Promise.all(created.map(get))
    expect(ended.map(({ status }) => status).sort()).toEqual(['failed', 'success'])
    expect(ended.find(({ status }) => status === 'failed')).toMatchObject({
      error: { reason: 'program_error', message: expect.stringContaining('insufficient lamports') },
      onChain: { txId: expect.any(String) },
    })
  })
})

describe('error: unprocessable, a sanctioned address', () => {
  afterEach(() => {
    world.deps.config.sanctionedAddresses = new Set()
  })
  const sanction = (address: string) => {
    world.deps.config.sanctionedAddresses = new Set([address])
  }
  const refusal = { code: 'unprocessable', detail: { reason: 'sanctioned_wallet_address' } }

  test('of the wallet, or of an account of the transaction', async () => {
    const transaction = toText(await build([transfer(sol)]))
    for (const address of [wallet, friend.address]) {
      sanction(address)
      await expect(create(transaction)).rejects.toMatchObject(refusal)
    }
  })

  test('of the owner of a token account', async () => {
    await solana.fund(wallet, 'usdc', 5n)
    await solana.fund(friend.address, 'usdc', 5n)
    const mint = address(solana.chain.currencies.find(({ currency }) => currency === 'usdc')?.address ?? '')
    const tokenProgram = address('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')
    const find = async (owner: Address) => (await findAssociatedTokenPda({ owner, mint, tokenProgram }))[0]
    const instruction = getTransferCheckedInstruction(
      {
        source: await find(wallet),
        mint,
        destination: await find(friend.address),
        amount: 1n,
        authority: createNoopSigner(wallet),
        decimals: 6,
      },
      { programAddress: tokenProgram },
    )
    const transaction = toText(await build([instruction]))
    sanction(friend.address)
    await expect(create(transaction)).rejects.toMatchObject(refusal)
  })

  test('that is listed only after the request: nothing is signed', async () => {
    const created = await create(toText(await build([transfer(sol)])))
    sanction(friend.address)
    await world.drain()
    expect(await get(created)).toMatchObject({
      status: 'failed',
      error: { reason: 'sanctioned_wallet_address' },
    })
    expect(await balance(friend.address)).toBe(0n)
  })
})

describe('error: input-invalid', () => {
  const refuse = (transaction: string, message: string | RegExp) =>
    expect(create(transaction)).rejects.toThrow(message)

  test.each([
    ['text that is not base58', '0OIl'],
    ['a lone number', '1'],
    ['bytes that are no transaction', getBase58Decoder().decode(new Uint8Array(100).fill(9))],
  ])('%s', async (_, text) => {
    await refuse(text, /^params\.transaction: expected /)
  })

  test('bytes after the transaction', async () => {
    const bytes = getTransactionEncoder().encode(await build([transfer(sol)]))
    const text = getBase58Decoder().decode(Uint8Array.from([...bytes, 0]))
    await refuse(text, 'params.transaction: expected a message of version 0, or a legacy one')
  })

  test('another fee payer', async () => {
    const transaction = await build([transfer(sol)], { payer: friend.address })
    await refuse(
      toText(transaction),
      `params.transaction: expected the fee payer ${wallet}, not ${friend.address}`,
    )
  })

  test('a signature of another account', async () => {
    const back = getTransferSolInstruction({ source: friend, destination: wallet, amount: lamports(sol) })
    const signed = await partiallySignTransaction([friend.keyPair], await build([back]))
    await refuse(toText(signed), 'params.transaction: expected a transaction without signatures')
  })

  test('a lookup table', async () => {
    const table = (await generateKeyPairSigner()).address
    const looked: Instruction = {
      programAddress: address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'),
      data: Uint8Array.from([1]),
      accounts: [
        {
          address: friend.address,
          addressIndex: 0,
          lookupTableAddress: table,
          role: AccountRole.READONLY,
        } as never,
      ],
    }
    await refuse(
      toText(await build([looked])),
      'params.transaction: expected a transaction without lookup tables',
    )
  })

  test('a nonce advance', async () => {
    const nonceAccount = (await generateKeyPairSigner()).address
    const advance = getAdvanceNonceAccountInstruction({
      nonceAccount,
      nonceAuthority: createNoopSigner(wallet),
    })
    await refuse(toText(await build([advance, transfer(sol)])), /^params\.transaction: .+ durable nonce/)
  })

  test('a blockhash that is gone', async () => {
    const transaction = toText(await build([transfer(sol)]))
    for (let left = 160; left > 0; left--) solana.node.tick()
    await refuse(transaction, 'params.transaction: its blockhash has expired: use a recent one')
  })

  test('signers that are missing, or sign nothing', async () => {
    const source = createNoopSigner(friend.address)
    const back = getTransferSolInstruction({ source, destination: wallet, amount: lamports(sol) })
    const transaction = toText(await build([back]))
    const locator = `solana-keypair:${friend.address}`
    await refuse(transaction, `params.requiredSigners: expected ${locator}, who signs this transaction too`)
    await expect(create(toText(await build([transfer(sol)])), [locator])).rejects.toThrow(
      `params.requiredSigners[0]: ${locator} does not sign this transaction`,
    )
  })

  test('the form of another wallet', async () => {
    const body = { params: { calls: [], chain: 'base' } }
    await expect(
      createTransaction(world.deps, world.serverCall, { walletLocator: wallet, body }),
    ).rejects.toThrow('this solana-mpc-wallet takes {transaction, requiredSigners?}')
  })

  test('a wallet on Solana with a signer of another kind', async () => {
    const before = await solana.db.select().from(wallets)
    const adminSigner = { type: 'evm-keypair', address: `0x${'11'.repeat(20)}` } as const
    await expect(
      createWallet(world.deps, world.serverCall, { type: 'solana-mpc-wallet', config: { adminSigner } }),
    ).rejects.toThrow('config.adminSigner.type: expected solana-kassa-custodial for a solana-mpc-wallet')
    expect(await solana.db.select().from(wallets)).toHaveLength(before.length)
  })
})
