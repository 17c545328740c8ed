import type { Address, Instruction, Rpc, SolanaRpcApi } from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import {
  fetchMaybeToken,
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getMintToInstruction,
  getTransferCheckedInstruction,
} from '@solana-program/token-2022'
import { ServiceError } from '#base/errors.js'
import type { ChainCurrency } from '#base/ports/currency.js'
import type { WalletPort } from '#base/ports/wallet.js'
import type { WalletResult, WriteResult } from '#base/ports/write.js'
import type { ChainParts } from '../chainParts.js'
import { accountAddress } from '../connection/accountAddress.js'
import type { Connection } from '../connection/connect.js'
import { TOKEN_PROGRAM_ADDRESS } from '../connection/derivedAddresses.js'
import { parseAddress } from '../connection/parseAddress.js'
import { createMessagePort } from './createMessagePort.js'
import { createTokenReads } from './readTokens.js'

type Funding = Parameters<WalletPort['fund']>[1]

const createFunding = async (
  { operator }: Connection,
  { chain, currencies, hasTestTokens }: ChainParts,
  { currency, units, recipient }: Funding,
): Promise<Instruction[]> => {
  const known = currencies.find((each) => each.currency === currency)
  const owner = parseAddress(recipient)
  if (!known || !owner) throw new ServiceError('input-invalid', `${chain} has no currency ${currency}`)
  if (known.address === undefined) {
    return [getTransferSolInstruction({ source: operator, destination: owner, amount: units })]
  }
  const mint = known.address as Address
  const config = { programAddress: TOKEN_PROGRAM_ADDRESS }
  const find = (holder: Address) =>
    findAssociatedTokenPda({ owner: holder, mint, tokenProgram: TOKEN_PROGRAM_ADDRESS })
  const [token] = await find(owner)
  const [source] = await find(operator.address)
  const { decimals } = known
  return [
    getCreateAssociatedTokenIdempotentInstruction({
      payer: operator,
      ata: token,
      owner,
      mint,
      tokenProgram: TOKEN_PROGRAM_ADDRESS,
    }),
    hasTestTokens
      ? getMintToInstruction({ mint, token, mintAuthority: operator, amount: units }, config)
      : getTransferCheckedInstruction(
          { source, mint, destination: token, authority: operator, amount: units, decimals },
          config,
        ),
  ]
}

const toWalletResult = (result: WriteResult): WalletResult => {
  if (result.status === 'succeeded') return { status: 'success', txId: result.txId }
  const message = `The wallet could not be funded: ${result.reason}`
  return {
    status: 'failed',
    error: { reason: 'program_error', message },
    ...(result.txId !== undefined && { txId: result.txId }),
  }
}

const readBalance = async (
  rpc: Rpc<SolanaRpcApi>,
  owner: Address,
  { address }: ChainCurrency,
): Promise<bigint> => {
  const commitment = 'confirmed'
  if (address === undefined) return (await rpc.getBalance(owner, { commitment }).send()).value
  const mint = address as Address
  const [token] = await findAssociatedTokenPda({ owner, mint, tokenProgram: TOKEN_PROGRAM_ADDRESS })
  const account = await fetchMaybeToken(rpc, token, { commitment })
  return account.exists ? account.data.amount : 0n
}

/** Creates the wallet port of Solana. */
export const createWalletPort = (parts: ChainParts): WalletPort => {
  const { currencies, use, read, askFallback } = parts
  return {
    custodialType: 'solana-mpc-wallet',
    accountAddress,
    // Wallets on Solana sign whole transactions. They have neither calls nor user operations.
    calls: undefined,
    operations: undefined,
    messages: createMessagePort(parts),
    // An adapter of a program of smart wallets goes here: see docs/chain-adapter.md.
    programs: undefined,
    currencies,
    getBalances: async (address, names) => {
      const asked = currencies.filter(({ currency }) => names.includes(currency))
      const owner = parseAddress(address)
      if (!owner) throw new ServiceError('input-invalid', `${address} is not an address on ${parts.chain}`)
      const readHeld = (rpc: Rpc<SolanaRpcApi>) =>
        Promise.all(asked.map((currency) => readBalance(rpc, owner, currency)))
      const held = await askFallback(() => read(readHeld), readHeld)
      return Object.fromEntries(asked.map(({ currency }, at) => [currency, held[at] ?? 0n]))
    },
    fund: (key, input) =>
      use(async (opened) => {
        const makeInstructions = () => createFunding(opened, parts, input)
        const write = { makeInstructions, trace: undefined, isGuarded: true }
        return toWalletResult(await opened.outbox.send(key, write))
      }),
    ...createTokenReads(parts),
  }
}
