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

/** What a node says of an error of a transaction. */
const sentences: Readonly<Record<string, string>> = {
  AccountInUse: 'Account in use',
  AccountLoadedTwice: 'Account loaded twice',
  AccountNotFound: 'Attempt to debit an account but found no record of a prior credit.',
  ProgramAccountNotFound: 'Attempt to load a program that does not exist',
  InsufficientFundsForFee: 'Insufficient funds for fee',
  InvalidAccountForFee: 'This account may not be used to pay transaction fees',
  AlreadyProcessed: 'This transaction has already been processed',
  BlockhashNotFound: 'Blockhash not found',
  CallChainTooDeep: 'Loader call chain is too deep',
  MissingSignatureForFee: 'Transaction requires a fee but has no signature present',
  InvalidAccountIndex: 'Transaction contains an invalid account reference',
  SignatureFailure: 'Transaction did not pass signature verification',
  InvalidProgramForExecution: 'This program may not be used for executing instructions',
  SanitizeFailure: 'Transaction failed to sanitize accounts offsets correctly',
  ClusterMaintenance: 'Transactions are currently disabled due to cluster maintenance',
  AccountBorrowOutstanding: 'Transaction processing left an account with an outstanding borrowed reference',
  WouldExceedMaxBlockCostLimit: 'Transaction would exceed max Block Cost Limit',
  UnsupportedVersion: 'Transaction version is unsupported',
  InvalidWritableAccount: 'Transaction loads a writable account that cannot be written',
  WouldExceedMaxAccountCostLimit: 'Transaction would exceed max account limit within the block',
  WouldExceedAccountDataBlockLimit: 'Transaction would exceed account data limit within the block',
  TooManyAccountLocks: 'Transaction locked too many accounts',
  AddressLookupTableNotFound: "Transaction loads an address table account that doesn't exist",
  InvalidAddressLookupTableOwner: 'Transaction loads an address table account with an invalid owner',
  InvalidAddressLookupTableData: 'Transaction loads an address table account with invalid data',
  InvalidAddressLookupTableIndex: 'Transaction address table lookup uses an invalid index',
  InvalidRentPayingAccount: 'Transaction leaves an account with a lower balance than rent-exempt minimum',
  WouldExceedMaxVoteCostLimit: 'Transaction would exceed max Vote Cost Limit',
  WouldExceedAccountDataTotalLimit: 'Transaction would exceed total account data limit',
  MaxLoadedAccountsDataSizeExceeded: 'Transaction exceeded max loaded accounts data size cap',
  InvalidLoadedAccountsDataSizeLimit:
    'LoadedAccountsDataSizeLimit set for transaction must be greater than 0.',
  UnbalancedTransaction: 'Sum of account balances before and after transaction do not match',
  ProgramCacheHitMaxLimit: 'Program cache hit max limit',
}

/** What a node says of an error of an instruction. */
const instructionSentences: Readonly<Record<string, string>> = {
  GenericError: 'generic instruction error',
  InvalidArgument: 'invalid program argument',
  InvalidInstructionData: 'invalid instruction data',
  InvalidAccountData: 'invalid account data for instruction',
  AccountDataTooSmall: 'account data too small for instruction',
  InsufficientFunds: 'insufficient funds for instruction',
  IncorrectProgramId: 'incorrect program id for instruction',
  MissingRequiredSignature: 'missing required signature for instruction',
  AccountAlreadyInitialized: 'instruction requires an uninitialized account',
  UninitializedAccount: 'instruction requires an initialized account',
  UnbalancedInstruction: 'sum of account balances before and after instruction do not match',
  ModifiedProgramId: 'instruction illegally modified the program id of an account',
  ExternalAccountLamportSpend: 'instruction spent from the balance of an account it does not own',
  ExternalAccountDataModified: 'instruction modified data of an account it does not own',
  ReadonlyLamportChange: 'instruction changed the balance of a read-only account',
  ReadonlyDataModified: 'instruction modified data of a read-only account',
  DuplicateAccountIndex: 'instruction contains duplicate accounts',
  ExecutableModified: 'instruction changed executable bit of an account',
  RentEpochModified: 'instruction modified rent epoch of an account',
  NotEnoughAccountKeys: 'insufficient account keys for instruction',
  AccountDataSizeChanged: "program other than the account's owner changed the size of the account data",
  AccountNotExecutable: 'instruction expected an executable account',
  AccountBorrowFailed: 'instruction tries to borrow reference for an account which is already borrowed',
  AccountBorrowOutstanding: 'instruction left account with an outstanding borrowed reference',
  DuplicateAccountOutOfSync: 'instruction modifications of multiply-passed account differ',
  InvalidError: 'program returned invalid error code',
  ExecutableDataModified: 'instruction changed executable accounts data',
  ExecutableLamportChange: 'instruction changed the balance of an executable account',
  ExecutableAccountNotRentExempt: 'executable accounts must be rent exempt',
  UnsupportedProgramId: 'Unsupported program id',
  CallDepth: 'Cross-program invocation call depth too deep',
  MissingAccount: 'An account required by the instruction is missing',
  ReentrancyNotAllowed: 'Cross-program invocation reentrancy not allowed for this instruction',
  MaxSeedLengthExceeded: 'Length of the seed is too long for address generation',
  InvalidSeeds: 'Provided seeds do not result in a valid address',
  InvalidRealloc: 'Failed to reallocate account data',
  ComputationalBudgetExceeded: 'Computational budget exceeded',
  PrivilegeEscalation: 'Cross-program invocation with unauthorized signer or writable account',
  ProgramEnvironmentSetupFailure: 'Failed to create program execution environment',
  ProgramFailedToComplete: 'Program failed to complete',
  ProgramFailedToCompile: 'Program failed to compile',
  Immutable: 'Account is immutable',
  IncorrectAuthority: 'Incorrect authority provided',
  BorshIoError: 'Failed to serialize or deserialize account data',
  AccountNotRentExempt: 'An account does not have enough lamports to be rent-exempt',
  InvalidAccountOwner: 'Invalid account owner',
  ArithmeticOverflow: 'Program arithmetic overflowed',
  UnsupportedSysvar: 'Unsupported sysvar',
  IllegalOwner: 'Provided owner is not allowed',
  MaxAccountsDataAllocationsExceeded:
    'Accounts data allocations exceeded the maximum allowed per transaction',
  MaxAccountsExceeded: 'Max accounts exceeded',
  MaxInstructionTraceLengthExceeded: 'Max instruction trace length exceeded',
  BuiltinProgramsMustConsumeComputeUnits: 'Builtin programs must consume compute units',
}

const describeInstructionError = (error: unknown): string => {
  if (typeof error === 'string') return instructionSentences[error] ?? error
  const [[name, value] = ['', undefined]] = Object.entries(Object(error))
  if (name === 'Custom') return `custom program error: 0x${Number(value).toString(16)}`
  return instructionSentences[name] ?? name
}

/** Describes the error of a transaction in the sentence of a node, which clients match. */
export const describeTransactionError = (error: TransactionErrorJson): string => {
  if (typeof error === 'string') return sentences[error] ?? error
  const [[name, value] = ['', undefined]] = Object.entries(error)
  if (name === 'InstructionError' && Array.isArray(value)) {
    return `Error processing Instruction ${value[0]}: ${describeInstructionError(value[1])}`
  }
  if (name === 'DuplicateInstruction') {
    return `Transaction contains a duplicate instruction (${value}) that is not allowed`
  }
  const { account_index: index } = Object(value) as { account_index?: number }
  if (name === 'InsufficientFundsForRent') {
    return `Transaction results in an account (${index}) with insufficient funds for rent`
  }
  if (name === 'ProgramExecutionTemporarilyRestricted') {
    return `Execution of the program referenced by account at index ${index} is temporarily restricted.`
  }
  return name
}
