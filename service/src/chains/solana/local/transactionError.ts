/** An error of a transaction as the JSON-RPC interface shows it: `"AccountNotFound"`, `{ InstructionError: … }`. */
export type TransactionErrorJson = string | Readonly<Record<string, unknown>>

const readInstructionError = (text: string): unknown => {
  const custom = /^Custom\((\d+)\)$/.exec(text)?.[1]
  if (custom !== undefined) return { Custom: Number(custom) }
  return text.startsWith('BorshIoError') ? { BorshIoError: 'unknown' } : text
}

/**
 * Reads the error of a transaction from how the virtual machine prints it. Its own enumeration has numbers
 * without names.
 */
export const readTransactionError = (printed: string): TransactionErrorJson => {
  const instruction = /err: InstructionError\((\d{1,3}), (\w{1,60}(?:\(\d{1,10}\))?)/.exec(printed)
  if (instruction) {
    const [, index = '0', text = ''] = instruction
    return { InstructionError: [Number(index), readInstructionError(text)] }
  }
  const duplicate = /err: DuplicateInstruction\((\d+)\)/.exec(printed)?.[1]
  if (duplicate !== undefined) return { DuplicateInstruction: Number(duplicate) }
  const account = /err: (\w+) \{ account_index: (\d+) \}/.exec(printed)
  if (account) return { [account[1] ?? '']: { account_index: Number(account[2]) } }
  return /err: (\w+)/.exec(printed)?.[1] ?? 'ClusterMaintenance'
}
