import type { Instruction, KeyPairSigner, Rpc, SolanaRpcApi } from '@solana/kit'
import { getCreateAccountWithSeedInstruction } from '@solana-program/system'
import { getInitializeMint2Instruction, getMintSize } from '@solana-program/token-2022'
import { deriveTestToken, TOKEN_PROGRAM_ADDRESS } from './connection/derivedAddresses.js'

/** The test tokens of a local cluster, in the decimals of the tokens that they stand for. */
export const testTokens = [
  { currency: 'usdc', decimals: 6 },
  { currency: 'usdxm', decimals: 6 },
] as const

/** Creates the instructions that create a test token. */
export const createTestToken = async (
  rpc: Rpc<SolanaRpcApi>,
  operator: KeyPairSigner,
  { currency, decimals }: (typeof testTokens)[number],
): Promise<Instruction[]> => {
  const { address: mint, seed, programAddress } = deriveTestToken(operator.address, currency)
  const space = BigInt(getMintSize())
  return [
    getCreateAccountWithSeedInstruction({
      payer: operator,
      newAccount: mint,
      baseAccount: operator,
      base: operator.address,
      seed,
      space,
      amount: await rpc.getMinimumBalanceForRentExemption(space).send(),
      programAddress,
    }),
    getInitializeMint2Instruction(
      { mint, decimals, mintAuthority: operator.address },
      { programAddress: TOKEN_PROGRAM_ADDRESS },
    ),
  ]
}
