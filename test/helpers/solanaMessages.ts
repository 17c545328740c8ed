import {
  type Address,
  type Blockhash,
  compileTransactionMessage,
  decompileTransactionMessage,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  type Instruction,
} from '@solana/kit'

/** A message with its instructions. */
export type Draft = {
  feePayer: string
  blockhash: string
  instructions: readonly Instruction[]
}

/** Changes a message as a wallet does that adds to it, or lies. */
export const editMessage = (message: Uint8Array, edit: (draft: Draft) => Draft): Uint8Array => {
  const compiled = getCompiledTransactionMessageDecoder().decode(message)
  const decompiled = decompileTransactionMessage(compiled, { lastValidBlockHeight: 0n })
  const { feePayer, blockhash, instructions } = edit({
    feePayer: decompiled.feePayer.address,
    blockhash: compiled.lifetimeToken ?? '',
    instructions: decompiled.instructions,
  })
  const edited = {
    ...decompiled,
    feePayer: { address: feePayer as Address },
    lifetimeConstraint: { blockhash: blockhash as Blockhash, lastValidBlockHeight: 0n },
    instructions,
  }
  return Uint8Array.from(
    getCompiledTransactionMessageEncoder().encode(compileTransactionMessage(edited as never)),
  )
}

/** Changes the last instruction of a message, which is the payment's transfer. */
const editTransfer = (message: Uint8Array, edit: (transfer: Instruction) => Instruction): Uint8Array =>
  editMessage(message, (draft) => ({
    ...draft,
    instructions: draft.instructions.map((each, at) =>
      at === draft.instructions.length - 1 ? edit(each) : each,
    ),
  }))

/** Changes how much a message transfers. */
export const withAmount = (message: Uint8Array, units: bigint): Uint8Array =>
  editTransfer(message, (transfer) => {
    const data = Buffer.from(transfer.data ?? [])
    // A transfer of coins has a number of four bytes before the amount, a transfer of tokens one of one byte.
    data.writeBigUInt64LE(units, data.length === 12 ? 4 : 1)
    return { ...transfer, data: Uint8Array.from(data) }
  })

/** Changes where a message transfers to. */
export const withRecipient = (message: Uint8Array, recipient: string): Uint8Array =>
  editTransfer(message, (transfer) => {
    const at = transfer.data?.length === 12 ? 1 : 2
    const accounts = transfer.accounts?.map((each, index) =>
      index === at ? { ...each, address: recipient as Address } : each,
    )
    return { ...transfer, ...(accounts && { accounts }) }
  })
