import { expect, test } from 'vitest'
import type { PaymentRequest } from '../lib/demoWallet/confirmations'
import { createSolanaDemo } from '../lib/demoWallet/solana/solanaWallet'
import type { StandardAccount } from '../lib/demoWallet/solana/standard'
import type { SolanaNetwork } from '../lib/networks'
import { encodeBase58, isSolanaAddress } from '../lib/solana/base58'

const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const network: SolanaNetwork = {
  family: 'solana',
  name: 'solana',
  label: 'Solana',
  rpcUrl: 'http://localhost:1/rpc/solana',
  operator: undefined,
  explorerUrl: undefined,
  nativeCurrency: 'sol',
  tokens: { usdc: { address: mint, decimals: 6 } },
}

const key = (byte: number): Uint8Array => new Uint8Array(32).fill(byte)
const systemProgram = key(0)
const tokenProgram = Uint8Array.from([
  6, 221, 246, 225, 215, 101, 161, 147, 217, 203, 225, 70, 206, 235, 121, 172, 28, 180, 133, 237, 95, 91, 55,
  145, 58, 140, 245, 133, 126, 255, 0, 169,
])
const mintBytes = Uint8Array.from([
  198, 250, 122, 243, 190, 219, 173, 58, 61, 101, 243, 106, 171, 201, 116, 49, 177, 187, 228, 194, 210, 246,
  224, 228, 124, 166, 2, 3, 69, 47, 93, 97,
])

const toLittleEndian = (value: bigint): number[] =>
  Array.from({ length: 8 }, (_, at) => Number((value >> BigInt(8 * at)) & 255n))

/** Writes a transaction of version 0 with one instruction and an empty signature. */
const writeTransaction = (accounts: Uint8Array[], indexes: number[], data: number[]): Uint8Array =>
  Uint8Array.from([
    1,
    ...new Uint8Array(64),
    128,
    1,
    0,
    1,
    accounts.length,
    ...accounts.flatMap((account) => [...account]),
    ...new Uint8Array(32),
    1,
    accounts.length - 1,
    indexes.length,
    ...indexes,
    data.length,
    ...data,
    0,
  ])

const writeTransfer = ({ publicKey }: StandardAccount, lamports: bigint): Uint8Array =>
  writeTransaction([publicKey, key(7), systemProgram], [0, 1], [2, 0, 0, 0, ...toLittleEndian(lamports)])

const open = (isConfirmed: boolean) => {
  const values = new Map<string, string>()
  const storage = {
    getItem: (name: string) => values.get(name) ?? null,
    setItem: (name: string, value: string) => void values.set(name, value),
    removeItem: (name: string) => void values.delete(name),
  }
  const asked: PaymentRequest[] = []
  const confirm = async (request: PaymentRequest) => {
    asked.push(request)
    return isConfirmed
  }
  return { storage, asked, create: () => createSolanaDemo({ network, storage, confirm }) }
}

const connect = async ({ wallet }: ReturnType<typeof createSolanaDemo>): Promise<StandardAccount> => {
  const [account] = (await wallet.features['standard:connect'].connect()).accounts
  if (!account) throw new Error('the wallet shares no account')
  return account
}

test('default: signs what its owner confirms, with the key of its account', async () => {
  const { asked, create } = open(true)
  const demo = create()
  const account = await connect(demo)
  expect(isSolanaAddress(account.address)).toBe(true)
  const transaction = writeTransfer(account, 150_000_000n)
  const sign = demo.wallet.features['solana:signTransaction'].signTransaction
  const [signed] = await sign({ account, transaction, chain: 'solana:localnet' })
  const to = encodeBase58(key(7))
  expect(asked).toEqual([{ amount: '0.15', currency: 'sol', to, network: 'Solana', from: account.address }])
  const bytes = signed?.signedTransaction ?? new Uint8Array()
  const message = Uint8Array.from(bytes.slice(65))
  expect(message).toEqual(transaction.slice(65))
  const publicKey = await crypto.subtle.importKey(
    'raw',
    Uint8Array.from(account.publicKey),
    'Ed25519',
    true,
    ['verify'],
  )
  expect(await crypto.subtle.verify('Ed25519', publicKey, Uint8Array.from(bytes.slice(1, 65)), message)).toBe(
    true,
  )
})

test('parameters: a transfer of a token', async () => {
  const { asked, create } = open(false)
  const demo = create()
  const account = await connect(demo)
  const accounts = [account.publicKey, key(8), key(9), mintBytes, tokenProgram]
  const transaction = writeTransaction(accounts, [1, 3, 2, 0], [12, ...toLittleEndian(22_500_000n), 6])
  const sign = demo.wallet.features['solana:signTransaction'].signTransaction
  await expect(sign({ account, transaction })).rejects.toMatchObject({ code: 4001 })
  expect(asked).toMatchObject([{ amount: '22.5', currency: 'usdc', to: encodeBase58(key(9)) }])
})

test('error: anything but a payment is refused unasked', async () => {
  const { asked, create } = open(true)
  const demo = create()
  const account = await connect(demo)
  const transaction = writeTransaction([account.publicKey, key(7), systemProgram], [0, 1], [1, 0, 0, 0])
  const sign = demo.wallet.features['solana:signTransaction'].signTransaction
  await expect(sign({ account, transaction })).rejects.toMatchObject({ code: 4200 })
  expect(asked).toEqual([])
})

test('behavior: keeps its account over a reload, and shares it silently only while connected', async () => {
  const { create } = open(true)
  const first = create()
  const silently = { silent: true }
  expect(await first.wallet.features['standard:connect'].connect(silently)).toEqual({ accounts: [] })
  const { address } = await connect(first)
  const reloaded = create()
  expect(await reloaded.wallet.features['standard:connect'].connect(silently)).toMatchObject({
    accounts: [{ address }],
  })
  await reloaded.wallet.features['standard:disconnect'].disconnect()
  expect(await create().wallet.features['standard:connect'].connect(silently)).toEqual({ accounts: [] })
})

test('behavior: another account is reported, and the former one no longer signs', async () => {
  const { create } = open(true)
  const demo = create()
  const account = await connect(demo)
  const reported: (string | undefined)[] = []
  demo.wallet.features['standard:events'].on('change', ({ accounts }) => reported.push(accounts[0]?.address))
  await demo.switchAccount()
  expect(reported).toEqual([demo.wallet.accounts[0]?.address])
  expect(reported).not.toEqual([account.address])
  const transaction = writeTransfer(account, 1n)
  const sign = demo.wallet.features['solana:signTransaction'].signTransaction
  await expect(sign({ account, transaction })).rejects.toMatchObject({ code: 4100 })
})

test.each([
  ['an EVM address', '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC'],
  ['one byte too few', encodeBase58(new Uint8Array(31).fill(9))],
  ['a digit that base58 lacks', `0${mint.slice(1)}`],
])('error: %s is no address on Solana', (_, text) => {
  expect(isSolanaAddress(text)).toBe(false)
})
