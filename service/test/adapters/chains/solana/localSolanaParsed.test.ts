import { getBase58Decoder } from '@solana/kit'
import {
  Keypair,
  NONCE_ACCOUNT_LENGTH,
  PublicKey,
  SystemProgram,
  TransactionInstruction,
} from '@solana/web3.js'
import {
  AuthorityType,
  findAssociatedTokenPda,
  getApproveInstruction,
  getCreateAssociatedTokenInstruction,
  getInitializeMint2Instruction,
  getMintSize,
  getMintToInstruction,
  getSetAuthorityInstruction,
  getTransferCheckedInstruction,
  getTransferInstruction,
  TOKEN_2022_PROGRAM_ADDRESS,
} from '@solana-program/token-2022'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addressOf, createWeb3Client, toWeb3 } from '../../../helpers/createWeb3Client.js'

let client: Awaited<ReturnType<typeof createWeb3Client>>
beforeAll(async () => {
  client = await createWeb3Client()
})
afterAll(() => client.close())

const tokenProgram = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA' as typeof TOKEN_2022_PROGRAM_ADDRESS

/** Mints a token to an account of the payer, and sends some of it to another holder. */
const createTokens = async (programAddress: typeof TOKEN_2022_PROGRAM_ADDRESS) => {
  const { connection, payer, payerSigner, send } = client
  const mintKey = Keypair.generate()
  const mint = addressOf(mintKey.publicKey)
  const holder = Keypair.generate().publicKey
  const findTokens = async (owner: PublicKey) => {
    const [tokens] = await findAssociatedTokenPda({
      owner: addressOf(owner),
      mint,
      tokenProgram: programAddress,
    })
    return tokens
  }
  const own = await findTokens(payer.publicKey)
  const theirs = await findTokens(holder)
  const createFor = (ata: typeof own, owner: PublicKey) =>
    getCreateAssociatedTokenInstruction({
      payer: payerSigner,
      ata,
      owner: addressOf(owner),
      mint,
      tokenProgram: programAddress,
    })
  const config = { programAddress }
  const authority = payerSigner
  const signature = await send(
    [
      SystemProgram.createAccount({
        fromPubkey: payer.publicKey,
        newAccountPubkey: mintKey.publicKey,
        space: getMintSize(),
        lamports: await connection.getMinimumBalanceForRentExemption(getMintSize()),
        programId: new PublicKey(programAddress),
      }),
      ...[
        getInitializeMint2Instruction({ mint, decimals: 2, mintAuthority: payerSigner.address }, config),
        createFor(own, payer.publicKey),
        createFor(theirs, holder),
        getMintToInstruction({ mint, token: own, mintAuthority: payerSigner, amount: 1_000 }, config),
        getTransferInstruction({ source: own, destination: theirs, authority, amount: 1 }, config),
        getTransferCheckedInstruction(
          { source: own, mint, destination: theirs, authority, amount: 250, decimals: 2 },
          config,
        ),
        getApproveInstruction(
          { source: own, delegate: addressOf(holder), owner: authority, amount: 5 },
          config,
        ),
        getSetAuthorityInstruction(
          { owned: mint, owner: authority, authorityType: AuthorityType.MintTokens, newAuthority: null },
          config,
        ),
      ].map(toWeb3),
    ],
    [mintKey],
  )
  client.tick(2)
  return { mint, holder, own, theirs, signature }
}

const amount = (units: string, uiAmountString: string) => ({
  amount: units,
  decimals: 2,
  uiAmount: Number(uiAmountString),
  uiAmountString,
})

describe.each([
  ['spl-token', tokenProgram],
  ['spl-token-2022', TOKEN_2022_PROGRAM_ADDRESS],
])('jsonParsed of %s', (program, programAddress) => {
  let made: Awaited<ReturnType<typeof createTokens>>
  beforeAll(async () => {
    made = await createTokens(programAddress)
  })

  test('default: accounts of tokens and mints', async () => {
    const { connection, payer } = client
    const { mint, holder, own, theirs } = made
    const { value } = await connection.getMultipleParsedAccounts([new PublicKey(mint), new PublicKey(own)])
    expect(value[0]?.data).toEqual({
      program,
      space: getMintSize(),
      parsed: {
        type: 'mint',
        info: {
          decimals: 2,
          freezeAuthority: null,
          isInitialized: true,
          mintAuthority: null,
          supply: '1000',
        },
      },
    })
    const info = { mint, owner: payer.publicKey.toBase58(), state: 'initialized', isNative: false }
    expect(value[1]?.data).toMatchObject({
      program,
      parsed: {
        type: 'account',
        info: {
          ...info,
          tokenAmount: amount('749', '7.49'),
          delegate: holder.toBase58(),
          delegatedAmount: amount('5', '0.05'),
        },
      },
    })
    const held = await connection.getParsedTokenAccountsByOwner(holder, {
      programId: new PublicKey(programAddress),
    })
    expect(held.value.map(({ pubkey, account }) => [pubkey.toBase58(), account.data.parsed])).toEqual([
      [
        theirs,
        { type: 'account', info: { ...info, owner: holder.toBase58(), tokenAmount: amount('251', '2.51') } },
      ],
    ])
    const all = await connection.getParsedProgramAccounts(new PublicKey(programAddress), {
      filters: [{ memcmp: { offset: 0, bytes: mint } }],
    })
    expect(all.map(({ pubkey }) => pubkey.toBase58()).sort()).toEqual([own, theirs].sort())
    for (const { account } of all) expect(account.data).toMatchObject({ parsed: { type: 'account' } })
  })

  test('default: instructions, and those that programs called', async () => {
    const { connection, payer } = client
    const { mint, holder, own, theirs, signature } = made
    const parsed = await connection.getParsedTransaction(signature, 'confirmed')
    const { message } = parsed?.transaction ?? {}
    const self = payer.publicKey.toBase58()
    expect(message?.instructions).toMatchObject([
      {
        program: 'system',
        parsed: { type: 'createAccount', info: { source: self, newAccount: mint, space: getMintSize() } },
      },
      {
        program: 'spl-token',
        parsed: { type: 'initializeMint2', info: { mint, decimals: 2, mintAuthority: self } },
      },
      {
        program: 'spl-associated-token-account',
        parsed: { type: 'create', info: { source: self, account: own, wallet: self, mint } },
      },
      { parsed: { type: 'create', info: { account: theirs, wallet: holder.toBase58() } } },
      { parsed: { type: 'mintTo', info: { mint, account: own, mintAuthority: self, amount: '1000' } } },
      {
        parsed: {
          type: 'transfer',
          info: { source: own, destination: theirs, authority: self, amount: '1' },
        },
      },
      {
        parsed: {
          type: 'transferChecked',
          info: {
            source: own,
            mint,
            destination: theirs,
            authority: self,
            tokenAmount: amount('250', '2.5'),
          },
        },
      },
      {
        parsed: {
          type: 'approve',
          info: { source: own, delegate: holder.toBase58(), owner: self, amount: '5' },
        },
      },
      {
        parsed: {
          type: 'setAuthority',
          info: { mint, authorityType: 'mintTokens', newAuthority: null, authority: self },
        },
      },
    ])
    expect(message?.accountKeys.slice(0, 2)).toEqual([
      { pubkey: payer.publicKey, signer: true, writable: true, source: 'transaction' },
      { pubkey: new PublicKey(mint), signer: true, writable: true, source: 'transaction' },
    ])
    const programKey = message?.accountKeys.find(({ pubkey }) => pubkey.toBase58() === programAddress)
    expect(programKey).toMatchObject({ signer: false, writable: false })
    const [inner] = parsed?.meta?.innerInstructions ?? []
    expect(inner?.index).toBe(2)
    expect(inner?.instructions).toMatchObject([
      { program: 'spl-token', parsed: { type: 'getAccountDataSize', info: { mint } }, stackHeight: 2 },
      { program: 'system', parsed: { type: 'createAccount', info: { newAccount: own } } },
      { parsed: { type: 'initializeImmutableOwner', info: { account: own } } },
      { parsed: { type: 'initializeAccount3', info: { account: own, mint, owner: self } } },
    ])
  })
})

test('default: a nonce account, and the instructions for it', async () => {
  const { connection, payer, send, tick } = client
  const seed = 'a seed'
  const noncePubkey = await PublicKey.createWithSeed(payer.publicKey, seed, SystemProgram.programId)
  const create = SystemProgram.createNonceAccount({
    fromPubkey: payer.publicKey,
    basePubkey: payer.publicKey,
    seed,
    noncePubkey,
    lamports: await connection.getMinimumBalanceForRentExemption(NONCE_ACCOUNT_LENGTH),
    authorizedPubkey: payer.publicKey,
  })
  const signature = await send(create.instructions)
  tick(2)
  const { value } = await connection.getParsedAccountInfo(noncePubkey)
  const self = payer.publicKey.toBase58()
  const nonce = await connection.getNonce(noncePubkey)
  expect(value?.data).toEqual({
    program: 'nonce',
    space: NONCE_ACCOUNT_LENGTH,
    parsed: {
      type: 'initialized',
      info: { authority: self, blockhash: nonce?.nonce, feeCalculator: { lamportsPerSignature: '5000' } },
    },
  })
  const parsed = await connection.getParsedTransaction(signature, 'confirmed')
  const nonceAccount = noncePubkey.toBase58()
  const owner = SystemProgram.programId.toBase58()
  expect(parsed?.transaction.message.instructions).toMatchObject([
    {
      parsed: {
        type: 'createAccountWithSeed',
        info: { base: self, seed, newAccount: nonceAccount, owner, space: NONCE_ACCOUNT_LENGTH },
      },
    },
    { parsed: { type: 'initializeNonce', info: { nonceAccount, nonceAuthority: self } } },
  ])
})

test('behavior: a memo is its text, and what is unknown or malformed is shown as it is', async () => {
  const { connection, payer, send, sign, tick } = client
  const programId = new PublicKey('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')
  const budget = new PublicKey('ComputeBudget111111111111111111111111111111')
  const data = Buffer.from([2, 64, 66, 15, 0])
  const signature = await send([
    new TransactionInstruction({ programId, keys: [], data: Buffer.from('grüezi') }),
    new TransactionInstruction({ programId: budget, keys: [], data }),
  ])
  const short = new TransactionInstruction({
    programId: SystemProgram.programId,
    keys: [{ pubkey: payer.publicKey, isSigner: true, isWritable: true }],
    data: Buffer.from([2, 0, 0, 0, 1]),
  })
  const wire = (await sign([short])).serialize()
  const malformed = await connection.sendRawTransaction(wire, { skipPreflight: true })
  tick(3)
  const parsed = await connection.getParsedTransaction(signature, 'confirmed')
  expect(parsed?.transaction.message.instructions).toEqual([
    { program: 'spl-memo', programId, parsed: 'grüezi', stackHeight: 1 },
    { programId: budget, accounts: [], data: getBase58Decoder().decode(data), stackHeight: 1 },
  ])
  const failed = await connection.getParsedTransaction(malformed, 'confirmed')
  expect(failed?.transaction.message.instructions).toMatchObject([
    { programId: SystemProgram.programId, accounts: [payer.publicKey] },
  ])
})

test('behavior: a program is not writable, whatever the transaction says', async () => {
  const { connection, payer, send, tick } = client
  const toPubkey = Keypair.generate().publicKey
  const transfer = SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey, lamports: 1_000_000 })
  transfer.keys.push({ pubkey: SystemProgram.programId, isSigner: false, isWritable: true })
  const signature = await send([transfer])
  tick(2)
  const parsed = await connection.getParsedTransaction(signature, 'confirmed')
  const keys = parsed?.transaction.message.accountKeys.map(({ pubkey, writable }) => [pubkey, writable])
  expect(keys).toContainEqual([SystemProgram.programId, false])
  expect(keys).toContainEqual([toPubkey, true])
})
