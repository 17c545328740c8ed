import {
  type Address,
  address,
  createSolanaRpcFromTransport,
  generateKeyPairSigner,
  getAddressEncoder,
  getProgramDerivedAddress,
  type Instruction,
  type KeyPairSigner,
} from '@solana/kit'
import { getCreateAccountInstruction } from '@solana-program/system'
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenInstruction,
  getInitializeMint2Instruction,
  getMintSize,
  getMintToInstruction,
} from '@solana-program/token-2022'
import { expect, test } from 'vitest'
import { createTokenReads } from '#adapters/chains/solana/accounts/readTokens.js'
import { createTransport } from '#adapters/chains/solana/connection/createTransport.js'
import { TOKEN_PROGRAM_ADDRESS } from '#adapters/chains/solana/connection/derivedAddresses.js'
import { createOutbox } from '#adapters/chains/solana/outbox/outbox.js'
import { createTestSolana } from '../../../helpers/createTestSolana.js'
import { openBeforeAll } from '../../../helpers/openBeforeAll.js'

const solana = openBeforeAll(createTestSolana)
const program = address('metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s')
const config = { programAddress: TOKEN_PROGRAM_ADDRESS }

/** Mints a token of the classic program, as any issuer does. */
const mintClassic = async (owner: Address, decimals: number): Promise<Address> => {
  const [payer, mint] = [await generateKeyPairSigner(), await generateKeyPairSigner()]
  await solana.fund(payer.address, 'sol', 1_000_000_000n)
  const [ata] = await findAssociatedTokenPda({
    owner,
    mint: mint.address,
    tokenProgram: TOKEN_PROGRAM_ADDRESS,
  })
  const space = getMintSize()
  const instructions: Instruction[] = [
    getCreateAccountInstruction({
      payer,
      newAccount: mint,
      lamports: 2_000_000n,
      space,
      programAddress: TOKEN_PROGRAM_ADDRESS,
    }),
    getInitializeMint2Instruction({ mint: mint.address, decimals, mintAuthority: payer.address }, config),
    getCreateAssociatedTokenInstruction({
      payer,
      ata,
      owner,
      mint: mint.address,
      tokenProgram: TOKEN_PROGRAM_ADDRESS,
    }),
    getMintToInstruction({ mint: mint.address, token: ata, mintAuthority: payer, amount: 1n }, config),
  ]
  await send(payer, instructions)
  return mint.address
}

const send = async (feePayer: KeyPairSigner, instructions: Instruction[]) => {
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const outbox = createOutbox({
    db: solana.db,
    log,
    chain: 'solana',
    rpc: solana.rpc,
    askTogether: async () => undefined,
    feePayer,
    commitment: 'confirmed',
    pollMs: 10,
  })
  const write = { makeInstructions: async () => instructions, trace: undefined, isGuarded: false }
  expect(await outbox.send(`classic:${feePayer.address}`, write)).toMatchObject({ status: 'succeeded' })
}

/** The account of Token Metadata, in the layout of its program, which the cluster does not have. */
const encodeMetadata = (mint: Address, uri: string, kind = 4) => {
  const text = (value: string, size: number) => {
    const bytes = Buffer.alloc(4 + size)
    bytes.writeUInt32LE(size)
    bytes.write(value, 4)
    return bytes
  }
  const encoder = getAddressEncoder()
  const rest = Buffer.from([...new Uint8Array(2), 0, 1, 1, 255])
  return Buffer.concat([
    Buffer.from([kind]),
    Buffer.from(encoder.encode(program)),
    Buffer.from(encoder.encode(mint)),
    text('Ape #1', 32),
    text('APE', 10),
    text(uri, 200),
    rest,
  ])
}

/** Lists tokens through a node that has these accounts beside those of the cluster. */
const list = async (holder: Address, accounts: Record<string, { data: Buffer; owner: string }>) => {
  const transport = createTransport(solana.node.rpcUrl)
  const rpc = createSolanaRpcFromTransport(async (request) => {
    const { id, method, params } = Object(request.payload)
    const [asked] = params
    if (method !== 'getMultipleAccounts' || !asked.some((each: string) => accounts[each])) {
      return transport(request) as never
    }
    const value = asked.map((each: string) => {
      const { data, owner = '' } = accounts[each] ?? {}
      const shown = {
        owner,
        executable: false,
        lamports: 1n,
        rentEpoch: 0n,
        space: BigInt(data?.length ?? 0),
      }
      return data ? { ...shown, data: [data.toString('base64'), 'base64'] } : null
    })
    return { jsonrpc: '2.0', id, result: { context: { slot: 1n }, value } } as never
  })
  const reads = createTokenReads({
    chain: 'solana',
    read: (work) => work(rpc),
  })
  return reads.listHeld?.(holder)
}

const placeOf = async (mint: Address) => {
  const encoder = getAddressEncoder()
  const seeds = ['metadata', encoder.encode(program), encoder.encode(mint)]
  return (await getProgramDerivedAddress({ programAddress: program, seeds }))[0]
}

test('default: a classic NFT is listed with the URI of its Token Metadata; money is not', async () => {
  const holder = (await generateKeyPairSigner()).address
  const mint = await mintClassic(holder, 0)
  await mintClassic(holder, 6)
  const data = encodeMetadata(mint, 'https://apes.example/1.json')
  const held = await list(holder, { [await placeOf(mint)]: { data, owner: program } })
  expect(held).toEqual([{ mint, supply: 1n, group: undefined, uri: 'https://apes.example/1.json' }])
})

test.each([
  [
    'of another program',
    (mint: Address) => ({ data: encodeMetadata(mint, 'ipfs://x'), owner: mint as string }),
  ],
  ['of another mint', () => ({ data: encodeMetadata(program, 'ipfs://x'), owner: program as string })],
  [
    'of another kind',
    (mint: Address) => ({ data: encodeMetadata(mint, 'ipfs://x', 6), owner: program as string }),
  ],
  [
    'cut off',
    (mint: Address) => ({ data: encodeMetadata(mint, 'ipfs://x').subarray(0, 70), owner: program as string }),
  ],
])('behavior: an account that is %s says nothing of it', async (_, forge) => {
  const holder = (await generateKeyPairSigner()).address
  const mint = await mintClassic(holder, 0)
  const held = await list(holder, { [await placeOf(mint)]: forge(mint) })
  expect(held).toEqual([{ mint, supply: 1n, group: undefined, uri: undefined }])
})
