import { stringToBytes } from 'viem'
import { getAssociatedTokens, getOrderAccounts, programs, toMemo } from '../../engine/solana/orderAccounts.js'
import { encodeMessage, type InstructionDraft, type NamedAccount, writeUnits } from './encodeMessage.js'
import { operator, requireSolanaCurrency } from './network.js'

/** A payment of an order. @units `units` in base units of `currency` */
export type SolanaPaymentDraft = {
  orderId: string
  payer: string
  currency: string
  units: bigint
  blockhash: string
}

const createTransfer = ({ orderId, payer, currency, units }: SolanaPaymentDraft): InstructionDraft => {
  const { mint, decimals } = requireSolanaCurrency(currency)
  const { account, references } = getOrderAccounts(operator, orderId, mint)
  const recipient: NamedAccount = { address: account, isWritable: true }
  const named = references.map((address): NamedAccount => ({ address }))
  if (mint === undefined) {
    const source = { address: payer, isSigner: true, isWritable: true }
    return {
      program: programs.system,
      accounts: [source, recipient, ...named],
      data: [2, 0, 0, 0, ...writeUnits(units)],
    }
  }
  const source = { address: getAssociatedTokens(payer, mint), isWritable: true }
  return {
    program: programs.token,
    accounts: [source, { address: mint }, recipient, { address: payer, isSigner: true }, ...named],
    data: [12, ...writeUnits(units), decimals],
  }
}

/** Encodes the message that pays an order, as the service writes it. */
export const writePayment = (draft: SolanaPaymentDraft): Uint8Array<ArrayBuffer> =>
  encodeMessage({
    feePayer: draft.payer,
    blockhash: draft.blockhash,
    instructions: [
      { program: programs.memo, accounts: [], data: [...stringToBytes(toMemo(draft.orderId))] },
      createTransfer(draft),
    ],
  })
