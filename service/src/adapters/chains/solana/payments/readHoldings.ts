import { type Address, fetchEncodedAccounts, type Rpc, type SolanaRpcApi } from '@solana/kit'
import { decodeToken, findAssociatedTokenPda } from '@solana-program/token-2022'
import { chunk } from '#base/lib/chunk.js'
import type { Payer, PayerHoldings } from '#base/ports/chain.js'
import { TOKEN_PROGRAM_ADDRESS } from '../connection/derivedAddresses.js'
import type { PaymentTerms } from './paymentTerms.js'

/** How many payers one request reads. */
const payersAtOnce = 20

/** Reads what payers hold of the currencies that they pay in, and of SOL. */
export const readHoldings = async (
  rpc: Rpc<SolanaRpcApi>,
  { currencies }: PaymentTerms,
  payers: readonly Payer[],
): Promise<PayerHoldings[]> => {
  const readSome = async (some: readonly Payer[]): Promise<PayerHoldings[]> => {
    const places = await Promise.all(
      some.map(async ({ payer, currency }) => {
        const owner = payer as Address
        const mint = currencies.find((each) => each.currency === currency)?.address as Address | undefined
        if (!mint) return [owner, owner]
        const [tokens] = await findAssociatedTokenPda({ owner, mint, tokenProgram: TOKEN_PROGRAM_ADDRESS })
        return [owner, tokens]
      }),
    )
    const accounts = await fetchEncodedAccounts(rpc, places.flat(), { commitment: 'confirmed' })
    return places.map(([owner, tokens], at) => {
      const [payer, held] = [accounts[2 * at], accounts[2 * at + 1]]
      const native = payer?.exists ? payer.lamports : 0n
      if (owner === tokens) return { native, units: native }
      return { native, units: held?.exists ? decodeToken(held).data.amount : 0n }
    })
  }
  return (await Promise.all(chunk(payers, payersAtOnce).map(readSome))).flat()
}
