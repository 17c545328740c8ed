import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Address,
  airdropFactory,
  appendTransactionMessageInstructions,
  assertIsTransactionWithBlockhashLifetime,
  createSolanaRpc,
  createSolanaRpcSubscriptions,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64EncodedWireTransaction,
  getSignatureFromTransaction,
  type Instruction,
  isSolanaError,
  type KeyPairSigner,
  lamports,
  pipe,
  SOLANA_ERROR__BLOCK_HEIGHT_EXCEEDED,
  SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED,
  sendAndConfirmTransactionFactory,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit'
import {
  Connection,
  Keypair,
  LAMPORTS_PER_SOL,
  PublicKey,
  SystemProgram,
  sendAndConfirmTransaction,
  Transaction,
} from '@solana/web3.js'
import { getCreateAccountInstruction, getTransferSolInstruction } from '@solana-program/system'
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenInstruction,
  getInitializeMint2Instruction,
  getMintSize,
  getMintToInstruction,
  TOKEN_2022_PROGRAM_ADDRESS,
} from '@solana-program/token-2022'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startLocalSolana } from '#adapters/chains/solana/local/startLocalSolana.js'
import { limits } from '../../../../../test/limits.js'
import { disconnect } from '../../../helpers/createWeb3Client.js'

const sol = 1_000_000_000n

type Node = Awaited<ReturnType<typeof startLocalSolana>>
const folder = mkdtempSync(join(tmpdir(), 'kassa-solana-'))
let node: Node
beforeEach(async () => {
  node = await startLocalSolana({ port: 0, slotMs: 40, finalizedAfter: 8 })
})
afterEach(() => node.close())
afterAll(() => rmSync(folder, { recursive: true }))

/** Starts a node whose blocks are made by the test alone, with an account that has lamports. */
const stopTime = async (units = 10n * sol): Promise<KeyPairSigner> => {
  await node.close()
  node = await startLocalSolana({ port: 0, slotMs: 3_600_000, finalizedAfter: 8 })
  const signer = await generateKeyPairSigner()
  await connect().rpc.requestAirdrop(signer.address, lamports(units)).send()
  tick(10)
  return signer
}
const tick = (blocks: number) => {
  for (let left = blocks; left > 0; left--) node.tick()
}

const connect = ({ rpcUrl, wsUrl }: Node = node) => ({
  rpc: createSolanaRpc(rpcUrl),
  rpcSubscriptions: createSolanaRpcSubscriptions(wsUrl),
})

/** Creates an account with lamports, by the node's own faucet. */
const createAccount = async (units = 10n * sol): Promise<KeyPairSigner> => {
  const signer = await generateKeyPairSigner()
  await airdropFactory(connect())({
    recipientAddress: signer.address,
    lamports: lamports(units),
    commitment: 'confirmed',
  })
  return signer
}

const sign = async (payer: KeyPairSigner, instructions: readonly Instruction[]) => {
  const { value } = await connect().rpc.getLatestBlockhash({ commitment: 'confirmed' }).send()
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (empty) => setTransactionMessageFeePayerSigner(payer, empty),
    (paid) => setTransactionMessageLifetimeUsingBlockhash(value, paid),
    (dated) => appendTransactionMessageInstructions(instructions, dated),
  )
  const signed = await signTransactionMessageWithSigners(message)
  assertIsTransactionWithBlockhashLifetime(signed)
  return signed
}

const transfer = (source: KeyPairSigner, destination: Address, amount: bigint) =>
  getTransferSolInstruction({ source, destination, amount: lamports(amount) })

const send = async (payer: KeyPairSigner, instructions: readonly Instruction[]) => {
  const signed = await sign(payer, instructions)
  await sendAndConfirmTransactionFactory(connect())(signed, { commitment: 'confirmed' })
  return getSignatureFromTransaction(signed)
}

const balanceOf = async (
  address: Address,
  commitment: 'processed' | 'confirmed' | 'finalized' = 'confirmed',
) => (await connect().rpc.getBalance(address, { commitment }).send()).value

test('default: @solana/kit sends a transfer and waits for its confirmation', async () => {
  const payer = await createAccount()
  const { address } = await generateKeyPairSigner()
  const signature = await send(payer, [transfer(payer, address, sol)])
  expect(await balanceOf(address)).toBe(sol)
  expect(await balanceOf(payer.address)).toBe(9n * sol - 5_000n)
  const found = await connect()
    .rpc.getTransaction(signature, {
      commitment: 'confirmed',
      encoding: 'base64',
      maxSupportedTransactionVersion: 0,
    })
    .send()
  expect(found?.meta).toMatchObject({ err: null, fee: 5_000n, postBalances: [9n * sol - 5_000n, sol, 1n] })
  const listed = await connect().rpc.getSignaturesForAddress(address, { commitment: 'confirmed' }).send()
  expect(listed.map((each) => each.signature)).toEqual([signature])
})

test('default: @solana/web3.js 1 does so too', async () => {
  const connection = new Connection(node.rpcUrl, 'confirmed')
  const payer = Keypair.generate()
  const recipient = Keypair.generate().publicKey
  await connection.confirmTransaction(await connection.requestAirdrop(payer.publicKey, 2 * LAMPORTS_PER_SOL))
  const instruction = SystemProgram.transfer({
    fromPubkey: payer.publicKey,
    toPubkey: recipient,
    lamports: LAMPORTS_PER_SOL,
  })
  const signature = await sendAndConfirmTransaction(connection, new Transaction().add(instruction), [payer])
  expect(await connection.getBalance(recipient)).toBe(LAMPORTS_PER_SOL)
  const found = await connection.getTransaction(signature, { maxSupportedTransactionVersion: 0 })
  expect(found?.meta?.err).toBeNull()
  expect(found?.transaction.message.getAccountKeys().get(1)).toEqual(new PublicKey(recipient))
  disconnect(connection)
})

test('default: a token of Token-2022 is minted, and its holder is found', async () => {
  const payer = await createAccount()
  const mint = await generateKeyPairSigner()
  const holder = await generateKeyPairSigner()
  const { rpc } = connect()
  const space = BigInt(getMintSize())
  const [tokens] = await findAssociatedTokenPda({
    owner: holder.address,
    mint: mint.address,
    tokenProgram: TOKEN_2022_PROGRAM_ADDRESS,
  })
  const signature = await send(payer, [
    getCreateAccountInstruction({
      payer,
      newAccount: mint,
      lamports: await rpc.getMinimumBalanceForRentExemption(space).send(),
      space,
      programAddress: TOKEN_2022_PROGRAM_ADDRESS,
    }),
    getInitializeMint2Instruction({ mint: mint.address, decimals: 0, mintAuthority: payer.address }),
    getCreateAssociatedTokenInstruction({
      payer,
      ata: tokens,
      owner: holder.address,
      mint: mint.address,
      tokenProgram: TOKEN_2022_PROGRAM_ADDRESS,
    }),
    getMintToInstruction({ mint: mint.address, token: tokens, mintAuthority: payer, amount: 1n }),
  ])
  const held = await rpc
    .getTokenAccountsByOwner(
      holder.address,
      { programId: TOKEN_2022_PROGRAM_ADDRESS },
      { commitment: 'confirmed', encoding: 'base64' },
    )
    .send()
  expect(held.value.map(({ pubkey }) => pubkey)).toEqual([tokens])
  const supply = await rpc.getTokenSupply(mint.address, { commitment: 'confirmed' }).send()
  expect(supply.value).toMatchObject({ amount: '1', decimals: 0, uiAmountString: '1' })
  const found = await rpc
    .getTransaction(signature, {
      commitment: 'confirmed',
      encoding: 'base64',
      maxSupportedTransactionVersion: 0,
    })
    .send()
  // The associated token program calls the token program and the system program.
  const [called, ...others] = found?.meta?.innerInstructions ?? []
  expect(others).toEqual([])
  expect(called).toMatchObject({ index: 2 })
  expect(called?.instructions.map(({ stackHeight }) => stackHeight)).toEqual([2, 2, 2, 2])
  expect(found?.meta?.postTokenBalances).toMatchObject([
    { mint: mint.address, owner: holder.address, uiTokenAmount: { amount: '1' } },
  ])
  expect(found?.meta?.preTokenBalances).toEqual([])
})

test('error: a transaction that fails its simulation is refused with its error and its logs', async () => {
  const payer = await createAccount(sol)
  const { address } = await generateKeyPairSigner()
  const refused = await send(payer, [transfer(payer, address, 2n * sol)]).catch((error: unknown) => error)
  if (!isSolanaError(refused, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE))
    throw refused
  expect(isSolanaError(refused.cause, SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM)).toBe(true)
  expect(refused.context.logs?.join()).toContain('insufficient lamports')
  expect(await balanceOf(payer.address)).toBe(sol)
})

test('error: without a simulation it lands, fails there, and pays its fee', async () => {
  const payer = await createAccount(sol)
  const { address } = await generateKeyPairSigner()
  const signed = await sign(payer, [transfer(payer, address, 2n * sol)])
  const { rpc } = connect()
  const wire = getBase64EncodedWireTransaction(signed)
  const signature = await rpc.sendTransaction(wire, { encoding: 'base64', skipPreflight: true }).send()
  await vi.waitFor(async () => {
    const { value } = await rpc.getSignatureStatuses([signature]).send()
    expect(value[0]?.err).toEqual({ InstructionError: [0n, { Custom: 1n }] })
  }, limits.conditionMs)
  expect(await balanceOf(payer.address, 'processed')).toBe(sol - 5_000n)
})

test('behavior: a transaction is processed, then confirmed, then final, and so are the balances', async () => {
  const payer = await stopTime()
  const { address } = await generateKeyPairSigner()
  const { rpc } = connect()
  const wire = getBase64EncodedWireTransaction(await sign(payer, [transfer(payer, address, sol)]))
  const signature = await rpc.sendTransaction(wire, { encoding: 'base64' }).send()
  const readAll = async () => {
    const { value } = await rpc.getSignatureStatuses([signature]).send()
    const commitments = ['processed', 'confirmed', 'finalized'] as const
    const balances = await Promise.all(commitments.map((commitment) => balanceOf(address, commitment)))
    return [value[0]?.confirmationStatus, value[0]?.confirmations, ...balances]
  }
  expect(await readAll()).toEqual([undefined, undefined, 0n, 0n, 0n])
  tick(1)
  expect(await readAll()).toEqual(['processed', 0n, sol, 0n, 0n])
  tick(2)
  expect(await readAll()).toEqual(['confirmed', 2n, sol, sol, 0n])
  tick(5)
  expect(await readAll()).toEqual(['confirmed', 7n, sol, sol, 0n])
  tick(1)
  expect(await readAll()).toEqual(['finalized', null, sol, sol, sol])
})

test('behavior: a blockhash expires after 150 blocks, and its transaction never lands', async () => {
  const payer = await stopTime()
  const { address } = await generateKeyPairSigner()
  const signed = await sign(payer, [transfer(payer, address, sol)])
  tick(153)
  const ticking = setInterval(() => node.tick(), 20)
  const late = sendAndConfirmTransactionFactory(connect())(signed, {
    commitment: 'confirmed',
    skipPreflight: true,
  })
  await expect(late).rejects.toSatisfy((error) => isSolanaError(error, SOLANA_ERROR__BLOCK_HEIGHT_EXCEEDED))
  clearInterval(ticking)
  await expect(
    sendAndConfirmTransactionFactory(connect())(signed, { commitment: 'confirmed' }),
  ).rejects.toSatisfy((error) =>
    isSolanaError(error, SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE),
  )
  const { lastValidBlockHeight, blockhash } = signed.lifetimeConstraint
  const height = await connect().rpc.getBlockHeight({ commitment: 'processed' }).send()
  expect(height).toBeGreaterThan(lastValidBlockHeight)
  expect((await connect().rpc.isBlockhashValid(blockhash, { commitment: 'processed' }).send()).value).toBe(
    false,
  )
  expect(await balanceOf(address, 'processed')).toBe(0n)
})

test('behavior: a skipped slot has no block, and does not age blockhashes', async () => {
  const { cluster } = node
  const before = cluster.blockAt('processed')
  cluster.skipSlot()
  cluster.skipSlot()
  const after = cluster.produceBlock()
  expect(after.slot).toBe(before.slot + 3n)
  expect(after.height).toBe(before.height + 1n)
  expect(
    await connect()
      .rpc.getBlockTime(before.slot + 1n)
      .send(),
  ).toBeNull()
})

test.each([
  ['is gone', false, 0n],
  ['lands again if it was kept', true, sol],
])('behavior: a transaction of a replaced block %s', async (_, isKept, units) => {
  const payer = await stopTime()
  const { address } = await generateKeyPairSigner()
  const signed = await sign(payer, [transfer(payer, address, sol)])
  const { rpc } = connect()
  const wire = getBase64EncodedWireTransaction(signed)
  const signature = await rpc.sendTransaction(wire, { encoding: 'base64' }).send()
  node.tick()
  expect(await balanceOf(address, 'processed')).toBe(sol)
  const paid = await balanceOf(payer.address, 'processed')
  const landedIn = node.cluster.findTransaction(signature, 'processed')?.slot ?? 0n
  const depth = Number(node.cluster.slotAt('processed') - landedIn) + 1
  node.cluster.fork(depth, isKept)
  node.tick()
  expect(await balanceOf(address, 'processed')).toBe(units)
  expect(await balanceOf(payer.address, 'processed')).toBe(isKept ? paid : 10n * sol)
})

test('behavior: a final block is never replaced', async () => {
  tick(20)
  expect(() => node.cluster.fork(9)).toThrow(/never replaced/)
})

test('behavior: a transaction that the leader lost can be sent again', async () => {
  const payer = await stopTime()
  const { address } = await generateKeyPairSigner()
  const wire = getBase64EncodedWireTransaction(await sign(payer, [transfer(payer, address, sol)]))
  const { rpc } = connect()
  node.cluster.loseTransactions(1)
  await rpc.sendTransaction(wire, { encoding: 'base64' }).send()
  node.tick()
  expect(await balanceOf(address, 'processed')).toBe(0n)
  await rpc.sendTransaction(wire, { encoding: 'base64' }).send()
  await rpc.sendTransaction(wire, { encoding: 'base64', skipPreflight: true }).send()
  node.tick()
  node.tick()
  expect(await balanceOf(address, 'processed')).toBe(sol)
  const again = await rpc
    .sendTransaction(wire, { encoding: 'base64' })
    .send()
    .catch((error: Error) => error.cause)
  expect(isSolanaError(again, SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED)).toBe(true)
})

test('behavior: its state survives a restart, blockhashes included', async () => {
  const statePath = join(folder, 'solana', 'state')
  await node.close()
  node = await startLocalSolana({ port: 0, slotMs: 40, statePath })
  const payer = await createAccount()
  const { address } = await generateKeyPairSigner()
  const earlier = await send(payer, [transfer(payer, address, sol)])
  const signed = await sign(payer, [transfer(payer, address, sol)])
  const genesis = await connect().rpc.getGenesisHash().send()
  await node.close()
  node = await startLocalSolana({ port: 0, slotMs: 40, statePath })
  expect(await connect().rpc.getGenesisHash().send()).toBe(genesis)
  const { value } = await connect().rpc.getSignatureStatuses([earlier]).send()
  expect(value[0]?.err).toBeNull()
  await sendAndConfirmTransactionFactory(connect())(signed, { commitment: 'confirmed' })
  expect(await balanceOf(address)).toBe(2n * sol)
})

test('error: a state that cannot be read is not replaced by a new cluster', async () => {
  const statePath = join(folder, 'unreadable')
  writeFileSync(statePath, 'of an earlier version')
  await expect(startLocalSolana({ port: 0, statePath })).rejects.toThrow(
    `${statePath} is not a state of the local Solana`,
  )
  expect(readFileSync(statePath, 'utf8')).toBe('of an earlier version')
})

test('behavior: a transaction that waits for the next block survives a restart', async () => {
  const statePath = join(folder, 'waiting')
  const restart = async (slotMs: number) => {
    await node.close()
    node = await startLocalSolana({ port: 0, slotMs, statePath })
  }
  await restart(40)
  const payer = await createAccount()
  const { address } = await generateKeyPairSigner()
  const wire = getBase64EncodedWireTransaction(await sign(payer, [transfer(payer, address, sol)]))
  await restart(3_600_000)
  await connect().rpc.sendTransaction(wire, { encoding: 'base64' }).send()
  await restart(40)
  await expect.poll(() => balanceOf(address)).toBe(sol)
})

test('behavior: a subscriber is told of an account and of logs', async () => {
  const payer = await createAccount()
  const { address } = await generateKeyPairSigner()
  const { rpcSubscriptions } = connect()
  const abort = new AbortController()
  const options = { abortSignal: abort.signal }
  const accounts = await rpcSubscriptions
    .accountNotifications(address, { commitment: 'confirmed', encoding: 'base64' })
    .subscribe(options)
  const logs = await rpcSubscriptions
    .logsNotifications({ mentions: [address] }, { commitment: 'confirmed' })
    .subscribe(options)
  const told = Promise.all([accounts, logs].map((each) => each[Symbol.asyncIterator]().next()))
  const signature = await send(payer, [transfer(payer, address, sol)])
  const [account, log] = await told
  expect(account?.value).toMatchObject({ value: { lamports: sol } })
  expect(log?.value).toMatchObject({ value: { signature, err: null } })
  abort.abort()
})

const ask = async (body: string) => {
  const response = await fetch(node.rpcUrl, { method: 'POST', body })
  return response.json()
}
const call = (method: string, params: unknown[] = []) =>
  ask(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))

test.each([
  ['no JSON', '{', -32700],
  ['no method', '{"id":1}', -32600],
  ['an unknown method', '{"id":1,"method":"getNothing"}', -32601],
  ['a method of objects', '{"id":1,"method":"toString"}', -32601],
  ['no address', '{"id":1,"method":"getBalance","params":["x"]}', -32602],
  ['an unknown commitment', '{"id":1,"method":"getSlot","params":[{"commitment":"sure"}]}', -32602],
  ['no transaction', '{"id":1,"method":"sendTransaction","params":["AAAA",{"encoding":"base64"}]}', -32602],
])('error: %s', async (_, body, code) => {
  expect(await ask(body)).toMatchObject({ error: { code, message: expect.any(String) } })
})

test('behavior: calls in one request are answered together', async () => {
  const answers = await ask('[{"id":1,"method":"getHealth"},{"id":2,"method":"getNothing"}]')
  expect(answers).toMatchObject([
    { id: 1, result: 'ok' },
    { id: 2, error: { code: -32601 } },
  ])
})

test('behavior: lamports beyond 2^53 are exact', async () => {
  const text = await fetch(node.rpcUrl, {
    method: 'POST',
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'getAccountInfo',
      params: ['11111111111111111111111111111111', { encoding: 'base64' }],
    }),
  }).then((response) => response.text())
  expect(text).toContain('"rentEpoch":18446744073709551615')
  expect(await call('getHealth')).toEqual({ jsonrpc: '2.0', id: 1, result: 'ok' })
})
